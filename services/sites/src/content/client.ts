import type { ContentRouter } from "@octavo/content/client";
import { serviceClient } from "@octavo/shared/client";
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
  const as = ({ identity, requestId, ip }: Requester, timeoutMs: number) => {
    const names = { identity: () => identity ?? ownIdentity(), requestId: () => requestId, ip: () => ip };
    return serviceClient<ContentRouter>({ url, timeoutMs, ...names });
  };

  const lookup = (asking: Requester, ids: string[]) =>
    as(asking, LOOKUP_MS).spaces.lookup.query({ ids }, { signal: asking.signal });
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
    digest: (asking) => as(asking, LOOKUP_MS).audience.digest.query(undefined, { signal: asking.signal }),
    standing: (asking, organizationId, spaces) => standing(as(asking, STANDING_MS), organizationId, spaces),
    pagePath: (asking, of) => pagePath(as(asking, LOOKUP_MS), of, asking.signal),
    pageAt: keepPages((at, asking) => pageAt(asking ? as(asking, LOOKUP_MS) : own, at, asking?.signal)),
    search: (asking, input) => as(asking, LOOKUP_MS).search.inSpaces.query(input, { signal: asking.signal }),
    // Writes are not given up when the client goes away: their response says what has to be used or discarded.
    create: (asking, input) => {
      const ask = () => as(asking, WRITE_MS).spaces.createOnce.mutate(input);
      return ask().catch((error: unknown) => {
        // A response that was lost is asked for once more.
        if (describe(error).code !== "SERVICE_UNAVAILABLE") throw error;
        return ask();
      });
    },
    fill: (asking, spaceId) => fill(as(asking, WRITE_MS), spaceId),
    hears: ({ requestId, ip }, event) => as({ requestId, ip }, HEARS_MS).audience.hears.query({ event }),
    // Its asker holds a lock, so it is given up when it takes too long.
    takeUploads: (asking, organizationId, keys) =>
      as(asking, STANDING_MS).storage.take.mutate({ organizationId, keys }),
    discard: async (asking, spaceId) => {
      await as(asking, WRITE_MS).spaces.remove.mutate({ spaceId });
    },
  };
}

/** One response for any number of spaces. Its asker holds a lock, so it is given up when it takes too long. */
async function standing({ audience }: Client, organizationId: string, spaces: string[]): Promise<Standing> {
  const slices = Array.from({ length: Math.max(1, Math.ceil(spaces.length / AT_ONCE)) }, (_, slice) =>
    spaces.slice(slice * AT_ONCE, (slice + 1) * AT_ONCE),
  );
  const results = await Promise.all(
    slices.map((slice) => audience.standing.query({ organizationId, spaces: slice })),
  );
  return { role: results[0]!.role, undecided: results.flatMap(({ undecided }) => undecided) };
}

async function pagePath(
  { content, revisionContent }: Client,
  { space, page, revision }: { space: string; page: string; revision?: string },
  signal?: AbortSignal,
): Promise<string | undefined> {
  const input = { spaceId: space, pageId: page, metadata: false };
  const found = await ifThere(
    revision === undefined
      ? content.page.query(input, { signal })
      : revisionContent.page.query({ ...input, revisionId: revision }, { signal }),
  );
  return found?.type === "document" || found?.type === "group" ? found.path : undefined;
}

async function pageAt(
  { shownPages }: Client,
  { space, revision, path, claims }: AskedPage,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const input = { spaceId: space, revisionId: revision, path, claims };
  // What no page can be called is refused.
  return (await ifThere(shownPages.locate.query(input, { signal }), "BAD_REQUEST"))?.path;
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
  const { id: changeRequestId } = await changeRequests.create.mutate({ spaceId, subject: "Sample" });
  await changeRequests.edit.mutate({ spaceId, changeRequestId, changes: samplePages });
  await changeRequests.merge.mutate({ spaceId, changeRequestId });
}
