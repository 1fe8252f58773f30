import { Resolver } from "node:dns/promises";

/** The values of a name's TXT records, none when there is no such name; or what kept the DNS from responding. */
export type TxtLookup = (name: string) => Promise<{ values: string[] } | { failure: string }>;

const TRY_MS = 2_000;
const TRIES = 2;
const DEADLINE_MS = 6_000;
const NOTHING = new Set(["ENOTFOUND", "ENODATA"]);

/** Looks up through these servers, `address` or `address:port`; without any, through those of the system. */
export function createTxtLookup(servers: string[]): TxtLookup {
  return async (name) => {
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
    if (servers.length > 0) resolver.setServers(servers);
    const deadline = setTimeout(() => resolver.cancel(), DEADLINE_MS);
    try {
      return { values: (await resolver.resolveTxt(name)).map((parts) => parts.join("")) };
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "unknown";
      return NOTHING.has(code) ? { values: [] } : { failure: code };
    } finally {
      clearTimeout(deadline);
    }
  };
}
