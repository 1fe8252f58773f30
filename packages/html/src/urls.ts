const LINKS = new Set(["http:", "https:", "mailto:", "tel:"]);
const SOURCES = new Set(["http:", "https:"]);
/** Relative addresses are read against it as a browser does; nothing is ever asked of it. */
const BASE = "https://page.invalid/";
const MAX_URL_LENGTH = 8192;

/** Returns an address as it may be written in a link: http, https, mailto, tel or relative; undefined for others. */
export const linkUrl = (url: string): string | undefined => allowed(url, LINKS);

/** Returns an address as it may be written as the source of an image: http, https or relative; undefined for others. */
export const sourceUrl = (url: string): string | undefined => allowed(url, SOURCES);

/** The host of an address; undefined for a relative one. */
export function hostOf(url: string): string | undefined {
  const { hostname = "" } = parsed(url) ?? {};
  return hostname === "" || hostname === "page.invalid" ? undefined : hostname.replace(/^www\./, "");
}

/** The parser is the one of browsers: what it finds no scheme in, they find none in, however it is spelled. */
function allowed(url: string, schemes: Set<string>): string | undefined {
  const read = parsed(url);
  if (!read || !schemes.has(read.protocol)) return undefined;
  // Browsers drop these, so that they only serve to deceive whoever looks for a scheme.
  return url.replace(/[\t\n\r]/g, "").trim();
}

function parsed(url: string): URL | undefined {
  if (url.length > MAX_URL_LENGTH) return undefined;
  try {
    return new URL(url, BASE);
  } catch {
    return undefined;
  }
}
