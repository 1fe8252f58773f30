import type { ContentRouter } from "@octavo/content/client";
import { serviceClient, within } from "@octavo/shared/client";
import { describe } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import type { TRPCClient } from "@trpc/client";
import { type AskedPage, AT_ONCE, type Content, type Requester, type Standing } from "./content.js";
import { gathered } from "./gathered.js";
import { keepPages } from "./kept-pages.js";
import { samplePages } from "./sample.js";

type Client = TRPCClient<ContentRouter>;

const LOOKUP_MS = 10_000;
/** Lookups for several visitors begin no sooner than this after one another, so that more of them travel together. */
const PACE_MS = 3;
const STANDING_MS = 5_000;
const WRITE_MS = 30_000;
const HEARS_MS = 4_000;

/** The content service at an address. What cannot be asked there, or not in time, ends with 503. */
export function contentAt({
  url,
  ownIdentity,
}: {
  url: string;
  ownIdentity: () => Promise<string>;
}): Content {
  const as = ({ identity, requestId, ip }: Requester) => {
    const names = { identity: () => identity ?? ownIdentity(), requestId: () => requestId, ip: () => ip };
    return serviceClient<ContentRouter>({ url, ...names });
  };

  const lookup = (asking: Requester, ids: string[]) =>
    as(asking).spaces.lookup.query({ ids }, { signal: within(LOOKUP_MS, asking.signal) });
  const own = serviceClient<ContentRouter>({
    url,
    identity: ownIdentity,
    requestId: newId,
    timeoutMs: LOOKUP_MS,
  });

  return {
    lookup,
    // What the service itself may read is the same for all who wait.
    heads: gathered((ids) => own.spaces.heads.query({ ids }), {
      most: AT_ONCE,
      paceMs: PACE_MS,
    }),
    digest: (asking) =>
      as(asking).audience.digest.query(undefined, { signal: within(LOOKUP_MS, asking.signal) }),
    standing: (asking, organizationId, spaces) => standing(as(asking), organizationId, spaces),
    pagePath: (asking, of) => pagePath(as(asking), of, asking.signal),
    pageAt: keepPages((at, asking) => pageAt(asking ? as(asking) : own, at, asking?.signal)),
    search: (asking, input) =>
      as(asking).search.inSpaces.query(input, { signal: within(LOOKUP_MS, asking.signal) }),
    // Writes are not given up when the client goes away: their response says what has to be used or discarded.
    create: (asking, input) => {
      const ask = () => as(asking).spaces.createOnce.mutate(input, { signal: within(WRITE_MS) });
      return ask().catch((error: unknown) => {
        // A response that was lost is asked for once more.
        if (describe(error).code !== "SERVICE_UNAVAILABLE") throw error;
        return ask();
      });
    },
    fill: (asking, spaceId) => fill(as(asking), spaceId),
    hears: ({ requestId, ip }, event) =>
      as({ requestId, ip }).audience.hears.query({ event }, { signal: within(HEARS_MS) }),
    // Its asker holds a lock, so it is given up when it takes too long.
    takeUploads: (asking, organizationId, keys) =>
      as(asking).storage.take.mutate({ organizationId, keys }, { signal: within(STANDING_MS) }),
    discard: async (asking, spaceId) => {
      await as(asking).spaces.remove.mutate({ spaceId }, { signal: within(WRITE_MS) });
    },
  };
}

/** One response for any number of spaces. Its asker holds a lock, so it is given up when it takes too long. */
async function standing({ audience }: Client, organizationId: string, spaces: string[]): Promise<Standing> {
  const signal = within(STANDING_MS);
  const slices = Array.from({ length: Math.max(1, Math.ceil(spaces.length / AT_ONCE)) }, (_, slice) =>
    spaces.slice(slice * AT_ONCE, (slice + 1) * AT_ONCE),
  );
  const results = await Promise.all(
    slices.map((slice) => audience.standing.query({ organizationId, spaces: slice }, { signal })),
  );
  return { role: results[0]!.role, undecided: results.flatMap(({ undecided }) => undecided) };
}

async function pagePath(
  { content, revisionContent }: Client,
  { space, page, revision }: { space: string; page: string; revision?: string },
  asked?: AbortSignal,
): Promise<string | undefined> {
  const input = { spaceId: space, pageId: page, metadata: false };
  const options = { signal: within(LOOKUP_MS, asked) };
  const found = await ifThere(
    revision === undefined
      ? content.page.query(input, options)
      : revisionContent.page.query({ ...input, revisionId: revision }, options),
  );
  return found?.type === "document" || found?.type === "group" ? found.path : undefined;
}

async function pageAt(
  { shownPages }: Client,
  { space, revision, path, claims }: AskedPage,
  asked?: AbortSignal,
): Promise<string | undefined> {
  const input = { spaceId: space, revisionId: revision, path, claims };
  const options = { signal: within(LOOKUP_MS, asked) };
  // What no page can be called is refused.
  return (await ifThere(shownPages.locate.query(input, options), "BAD_REQUEST"))?.path;
}

/** What was asked for; undefined for what is not there, and where that is another refusal as well. */
async function ifThere<Found>(asked: Promise<Found>, other?: "BAD_REQUEST"): Promise<Found | undefined> {
  try {
    return await asked;
  } catch (error) {
    const { code } = describe(error);
    if (code === "NOT_FOUND" || code === other) return undefined;
    throw error;
  }
}

/** Writes the sample's pages the way people do: in a change request that is merged. */
async function fill({ changeRequests }: Client, spaceId: string) {
  const signal = within(WRITE_MS);
  const { id: changeRequestId } = await changeRequests.create.mutate(
    { spaceId, subject: "Sample" },
    { signal },
  );
  await changeRequests.edit.mutate({ spaceId, changeRequestId, changes: samplePages }, { signal });
  await changeRequests.merge.mutate({ spaceId, changeRequestId }, { signal });
}
