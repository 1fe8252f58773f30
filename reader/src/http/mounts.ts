/** Where the sites stand that a request is for: all of them below one path, or one at the root of a host of its own. */
export interface Mount {
  /** Scheme, host and port, as visitors see them. */
  origin: string;
  /** The path below which they are, with a slash at its end. */
  base: string;
  /** Whether the host is one site's. */
  isOwnHost: boolean;
  /** What identifies a site here: the first segment of the path, or the host. */
  name: string;
  /** The path and the query that were asked for, as visitors see them. */
  url: URL;
}

/** Where the gateway leads to what was asked for on the host of a site. */
const HOSTS = /^\/~hosts\/([a-z0-9.-]{1,253})(\/.*)$/;

/**
 * Reads where a request target leads. The gateway names the host of a site in the path: neither `Host` nor any other header
 * decides what is shown, so that caches, which go by addresses, keep nothing under another one.
 */
export function mountOf(sites: URL, target: string): Mount {
  const hosted = HOSTS.exec(target);
  if (hosted) {
    const [, host = "", rest = "/"] = hosted;
    const origin = `${sites.protocol}//${host}${sites.port && `:${sites.port}`}`;
    return { origin, base: "/", isOwnHost: true, name: host, url: urlOf(rest) };
  }
  const base = `${sites.pathname.replace(/\/+$/, "")}/`;
  const url = urlOf(target);
  const { pathname } = url;
  const name = pathname.startsWith(base) ? (pathname.slice(base.length).split("/", 1)[0] ?? "") : "";
  return { origin: sites.origin, base, isOwnHost: false, name, url };
}

/** A target is a path, also where it begins with two slashes; whatever else somebody sends leads nowhere. */
const urlOf = (target: string): URL =>
  new URL(`http://reader.invalid${target.startsWith("/") ? target : "/"}`);
