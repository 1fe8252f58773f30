import { HOSTNAME, isSpecialName, isWithin } from "@octavo/shared/contracts/hostnames";
import { refuse } from "@octavo/shared/errors";
import { createTurns } from "@octavo/shared/turns";
import { LRUCache } from "lru-cache";
import { networkOf, type RateLimit, refuseRate } from "./limits.js";

/** Whose host a request came to: the platform's, that of all sites where it is another one, or a site's own. */
export type HostOwner = "platform" | "sites" | "site";

interface HostsOptions {
  /** The base addresses of the platform: of the interface, and of the application. */
  platform: string[];
  /** The base address of all sites. */
  sites: string;
  /** The domain below which each site has a host of its own. */
  sitesDomain?: string;
  /** Returns the id of the site whose hostname it is; null when it is none's. */
  lookup: (hostname: string) => Promise<string | null>;
  /** Whether changes of sites arrive at this moment; if not, nothing is believed for longer than `shortMs`. */
  isConnected: () => boolean;
  /** Counts hosts that had to be asked about and were no site's, by the address that came with them. */
  failures: RateLimit;
  longMs?: number;
  shortMs?: number;
}

export interface Hosts {
  /** Whose a host is, without asking; undefined when sites have to be asked. */
  known(hostname: string): HostOwner | undefined;
  /**
   * Whose a host is, asking sites once for any number of requests. 429 for an address that came with too many hosts that
   * are none, 503 while nobody can say.
   */
  find(hostname: string, ip: string): Promise<HostOwner>;
  /** Forgets what is known of the hosts of a site, and of the one that it has now. */
  drop(change: { site: string; hostname?: string }): void;
  /** Has everything that is known asked again. */
  dropAll(): void;
}

interface Known {
  site: string | null;
  at: number;
}

/** Questions at a time; each of them is a request to sites. */
const QUESTIONS = 16;
const KEPT = 20_000;

/** The name in a `Host` header: in lower case, without the port and the dot at its end. */
export const hostnameIn = (header: string | undefined): string =>
  (header ?? "").toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");

/**
 * Knows whose hosts are, by the name in `Host` alone. What is the platform's is decided by the configuration, so that a
 * mistake elsewhere never hides the interface; of other names only those that a site may have are asked about. What was
 * returned is cached for seconds, or until an event invalidates it, and as long as sites cannot be reached.
 */
export function createHosts(options: HostsOptions): Hosts {
  const { lookup, isConnected, failures, sitesDomain, longMs = 30_000, shortMs = 1_500 } = options;
  const platform = new Set(options.platform.map((address) => new URL(address).hostname));
  const sites = new URL(options.sites).hostname;
  const owned = new LRUCache<string, Known>({ max: KEPT });
  /** Hosts that are no site's. They lie apart, so that trying many of them pushes no site's out. */
  const others = new LRUCache<string, Known>({ max: KEPT });
  const asking = new Map<string, Promise<HostOwner>>();
  const questions = createTurns(QUESTIONS);
  let changes = 0;

  /** What the configuration says; undefined for a name that may be a site's. */
  function configured(hostname: string): HostOwner | undefined {
    if (platform.has(hostname)) return "platform";
    if (hostname === sites) return "sites";
    if (sitesDomain !== undefined && hostname !== sitesDomain && isWithin([sitesDomain], hostname))
      return "site";
    return !HOSTNAME.test(hostname) || isSpecialName(hostname) ? "platform" : undefined;
  }

  const ownerOf = ({ site }: Known): HostOwner => (site === null ? "platform" : "site");
  const remembered = (hostname: string) => owned.get(hostname) ?? others.get(hostname);

  function known(hostname: string): HostOwner | undefined {
    const owner = configured(hostname);
    if (owner) return owner;
    const found = remembered(hostname);
    return found && Date.now() - found.at < (isConnected() ? longMs : shortMs) ? ownerOf(found) : undefined;
  }

  /** A response is not cached when any site changed meanwhile: it may be older. */
  async function ask(hostname: string): Promise<HostOwner> {
    const [at, before] = [Date.now(), changes];
    try {
      const found = { site: await lookup(hostname), at };
      owned.delete(hostname);
      others.delete(hostname);
      if (changes === before) (found.site === null ? others : owned).set(hostname, found);
      return ownerOf(found);
    } catch {
      const last = remembered(hostname);
      if (last) return ownerOf(last);
      refuse("SERVICE_UNAVAILABLE", "Host: nobody can say whose it is at the moment", {
        headers: { "retry-after": "5" },
      });
    } finally {
      asking.delete(hostname);
    }
  }

  /** Each address waits for a turn of its own, also for a host that others ask about. */
  async function find(hostname: string, ip: string): Promise<HostOwner> {
    const network = networkOf(ip);
    const exhausted = remembered(hostname) ? undefined : failures.exhausted(network);
    if (exhausted) refuseRate("Host", exhausted);
    let leave = () => {};
    await new Promise<void>((begin) => {
      leave = questions.enter(network, begin);
    });
    try {
      const owner = known(hostname) ?? (await (asking.get(hostname) ?? askFor(hostname)));
      if (owner === "platform") failures.take(network);
      return owner;
    } finally {
      leave();
    }
  }

  function askFor(hostname: string): Promise<HostOwner> {
    const question = ask(hostname);
    asking.set(hostname, question);
    return question;
  }

  function drop({ site, hostname }: { site: string; hostname?: string }): void {
    changes++;
    for (const known of owned.values()) if (known.site === site) known.at = 0;
    if (hostname !== undefined) others.delete(hostname);
  }

  function dropAll(): void {
    changes++;
    for (const known of [...owned.values(), ...others.values()]) known.at = 0;
  }

  return { known, find, drop, dropAll };
}
