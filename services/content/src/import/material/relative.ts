import { decodePercent, isAbsoluteUrl, resolvePath } from "@octavo/markdown/text/destination";

/** The path and anchor that a relative address in a text leads to; undefined for one that leads elsewhere, or out. */
export function relativeTo(from: string, address: string): { path: string; anchor?: string } | undefined {
  if (address === "" || address.startsWith("#") || isAbsoluteUrl(address)) return undefined;
  const [, written = "", anchor] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(address) ?? [];
  const folder = from.slice(0, Math.max(0, from.lastIndexOf("/")));
  const path = resolvePath(written.startsWith("/") ? "" : folder, decodePercent(written));
  return path === undefined ? undefined : { path: path.normalize("NFC"), ...(anchor && { anchor }) };
}
