import type { ContentClient, ContentRouter } from "@octavo/content/client";
import { serviceClient } from "@octavo/shared/client";
import type { ReaderCaller } from "@octavo/shared/contracts/callers";
import type { Signer } from "@octavo/shared/identity";
import { createReaderVerifier } from "@octavo/shared/reader-tokens";
import type { SitesClient, SitesRouter } from "@octavo/sites/client";
import { LRUCache } from "lru-cache";

/** What the reader asks, as somebody who sees what one site shows to one kind of visitor. */
export interface AsVisitor {
  sites: SitesClient;
  content: ContentClient;
}

export interface Upstreams {
  /** As somebody who sees nothing, but may ask what is published at an address. */
  nobody: AsVisitor;
  /** As the visitor that a reader token is for; undefined when it is none, or is over. */
  visitor(token: string): Promise<Visitor | undefined>;
}

export interface Visitor extends AsVisitor {
  caller: ReaderCaller;
  /** For calls that may take long: searches, and those that return what a page or a whole space holds. */
  patient: AsVisitor;
  /** Fetches a file that content named to the visitor, from content itself. */
  download(address: string, init: RequestInit): Promise<Response>;
}

interface Options {
  sites: string;
  content: string;
  signer: Signer;
  trustedKeys: Parameters<typeof createReaderVerifier>[0];
  /** Time in ms after which a service counts as unavailable, for calls that take little; 5 s by default. */
  timeoutMs?: number;
}

const NOBODY: ReaderCaller = {
  kind: "reader",
  organization: "-",
  site: "-",
  epoch: 0,
  space: "-",
  revision: "-",
  token: "reader",
};

/**
 * Clients of sites and content. The reader's key signs visitors of sites and nothing else, so no mistake of the reader
 * shows more than what some site shows to its visitors.
 */
export function createUpstreams(options: Options): Upstreams {
  const { sites, content, signer, trustedKeys, timeoutMs = 5_000 } = options;
  const verify = createReaderVerifier(trustedKeys);
  const visitors = new LRUCache<string, Visitor>({ max: 1_000, ttl: 30 * 60_000 });
  const as = (caller: ReaderCaller): Visitor => {
    const identity = () => signer.cached(caller.token, () => caller);
    const clients = (timeoutMs?: number): AsVisitor => ({
      sites: serviceClient<SitesRouter>({ url: sites, identity, timeoutMs }),
      content: serviceClient<ContentRouter>({ url: content, identity, timeoutMs }),
    });
    return {
      caller,
      ...clients(timeoutMs),
      patient: clients(),
      download: (address, init) => fetch(withinContent(content, address), init),
    };
  };
  return {
    nobody: as(NOBODY),
    async visitor(token) {
      const known = visitors.get(token);
      if (known) return known;
      const verified = await verify(token);
      if (!verified) return undefined;
      const visitor = as(verified.caller);
      const left = Date.parse(verified.expiresAt) - Date.now();
      visitors.set(token, visitor, { ttl: Math.max(1, left) });
      return visitor;
    },
  };
}

/** The public address of a file as content serves it, below whatever path the interface is. */
const withinContent = (content: string, address: string): string => {
  const { pathname } = new URL(address);
  return content.replace(/\/+$/, "") + pathname.slice(pathname.indexOf("/v1/"));
};
