import type { ContentRouter } from "@octavo/content/client";
import { serviceClient, within } from "@octavo/shared/client";
import type { TRPCClient } from "@trpc/client";
import type { Asking, Content } from "./content.js";
import { samplePages } from "./sample.js";

const LOOKUP_MS = 10_000;
const WRITE_MS = 30_000;

/** The content service at an address. What cannot be asked there, or not in time, ends with 503. */
export function contentAt({
  url,
  ownIdentity,
}: {
  url: string;
  ownIdentity: () => Promise<string>;
}): Content {
  const as = ({ identity, requestId, ip }: Asking) => {
    const names = { identity: () => identity ?? ownIdentity(), requestId: () => requestId, ip: () => ip };
    return serviceClient<ContentRouter>({ url, ...names });
  };

  return {
    lookup: (asking, ids) =>
      as(asking).spaces.lookup.query({ ids }, { signal: within(LOOKUP_MS, asking.signal) }),
    // Writes are not given up when the client goes away: their answer says what has to be used or discarded.
    create: (asking, input) => as(asking).spaces.create.mutate(input, { signal: within(WRITE_MS) }),
    fill: (asking, spaceId) => fill(as(asking), spaceId),
    discard: async (asking, spaceId) => {
      await as(asking).spaces.delete.mutate({ spaceId }, { signal: within(WRITE_MS) });
    },
  };
}

/** Writes the sample's pages the way people do: in a change request that is merged. */
async function fill({ changeRequests }: TRPCClient<ContentRouter>, spaceId: string) {
  const signal = within(WRITE_MS);
  const { id: changeRequestId } = await changeRequests.create.mutate(
    { spaceId, subject: "Sample" },
    { signal },
  );
  await changeRequests.edit.mutate({ spaceId, changeRequestId, changes: samplePages }, { signal });
  await changeRequests.merge.mutate({ spaceId, changeRequestId }, { signal });
}
