import { refuseAt } from "@octavo/shared/errors";
import { readUrl } from "@octavo/shared/read-url";

/** The address that a sign-in ends at: the wanted one when it is allowed, without one the first that is. */
export function returnAddress(allowed: URL[], wanted: string | undefined): string {
  if (wanted === undefined) return allowed[0]!.href;
  const url = readUrl(wanted);
  if (!url || wanted.length > 2048 || !allowed.some((one) => isBelow(url, one)))
    refuseAt("query.returnTo", "is not an address that sign-ins may return to");
  url.hash = "";
  return url.href;
}

function isBelow(url: URL, base: URL): boolean {
  if (url.origin !== base.origin || url.username !== "" || url.password !== "") return false;
  if (!/^https?:$/.test(url.protocol) || /%2f|%5c|%2e/i.test(url.pathname)) return false;
  const folder = base.pathname.endsWith("/") ? base.pathname : `${base.pathname}/`;
  return url.pathname === base.pathname || url.pathname.startsWith(folder);
}
