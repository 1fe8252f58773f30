import type { ContentRouter } from "@octavo/content/client";
import { serviceClient } from "@octavo/shared/client";
import type { Content, Requester } from "./content.js";

const WAIT_MS = 5_000;
const FILL_MS = 60_000;
/** Longer than content takes for a file at most. */
const RECEIVE_MS = 90_000;

interface Neighbour {
  url: string;
  ownIdentity: () => Promise<string>;
}

/** content at an address. What cannot be asked there, or not in time, ends with 503. */
export function contentAt({ url, ownIdentity }: Neighbour): Content {
  const as = ({ identity, requestId }: Requester, timeoutMs = WAIT_MS) =>
    serviceClient<ContentRouter>({
      url,
      timeoutMs,
      identity: () => identity ?? ownIdentity(),
      requestId: () => requestId,
    });
  return {
    spaces: (asking, ids) => as(asking).spaces.lookup.query({ ids }),
    standing: (asking, organizationId, spaces) =>
      as(asking).audience.standing.query({ organizationId, spaces }),
    wantedSources: (asking, spaceId, versions) => as(asking).computed.wanted.query({ spaceId, versions }),
    computedSpaces: (asking, organizationId) => as(asking).computed.spacesOf.query({ organizationId }),
    forgetSources: (asking, spaceId, by) => as(asking, FILL_MS).computed.forget.mutate({ spaceId, by }),
    receiveFile: (asking, wanted) => as(asking, RECEIVE_MS).computed.receive.query(wanted),
    // Cast: what a script returned as a document is for content to check.
    fillSource: (asking, filled) =>
      as(asking, FILL_MS).computed.fill.mutate(
        filled as Parameters<ReturnType<typeof as>["computed"]["fill"]["mutate"]>[0],
      ),
  };
}
