import { dropTokens } from "./visitor.js";

/** Where visitors sign in as somebody else, or out, below the address of a site. */
const PATH = /~(?:octavo|gitbook)\/auth\/log(?:in|out)$/;

/**
 * Returns the address on which a visitor goes on who signs out: the `location` below the site, else the site itself. A site
 * with visitor authentication leads from there to where visitors sign in. Undefined for all other addresses.
 */
export function afterSignOut(url: URL): URL | undefined {
  if (!PATH.test(url.pathname)) return undefined;
  const root = new URL(url.pathname.replace(PATH, ""), url);
  const location = url.searchParams.get("location")?.replace(/^[/\\]+/, "") ?? "";
  const next = new URL(root.pathname + location, root);
  dropTokens(next);
  // A path that begins with two slashes would name another host.
  next.pathname = next.pathname.replace(/\/{2,}/g, "/");
  return next.pathname.startsWith(root.pathname) ? next : root;
}
