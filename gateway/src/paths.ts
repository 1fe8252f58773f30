import { refuse } from "@octavo/shared/errors";

/** Printable ASCII without backslash, then neither empty nor dot segments, in any spelling, nor an encoded NUL. */
const PRINTABLE = /^\/[\x21-\x5b\x5d-\x7e]*$/;
const AMBIGUOUS = /\/\/|%2e|%5c|%00|\/\.{1,2}(?:\/|$)/i;
const ENCODED_SLASH = /%2f/i;

/** The path of a request target, without its query. */
export function pathOf(target: string): string {
  const end = target.search(/[?#]/);
  return end < 0 ? target : target.slice(0, end);
}

/**
 * Whether every reader of a request target understands its path in the same way: neither absolute form, backslashes, `//`
 * and dot segments, nor these percent-encoded.
 */
export function isCanonical(target: string): boolean {
  const path = pathOf(target);
  return PRINTABLE.test(path) && !AMBIGUOUS.test(path) && !target.includes("#");
}

/** The path of a request target, without its query; 400 where that is not canonical. */
export function canonicalPath(target: string): string {
  if (!isCanonical(target)) refusePath();
  return pathOf(target);
}

/** A request target with single slashes in its path; undefined where that does not make it canonical. */
export function withSingleSlashes(target: string): string | undefined {
  const path = pathOf(target);
  const plain = path.replace(/\/{2,}/g, "/") + target.slice(path.length);
  return isCanonical(plain) ? plain : undefined;
}

/**
 * An encoded slash may stand only where the template takes the rest of the path (clients encode a whole page
 * path into that one place), and what it hides must be canonical as well.
 */
export function checkEncodedSlash(path: string, template: string): void {
  if (!ENCODED_SLASH.test(path)) return;
  const parts = template.split("/");
  if (!parts.at(-1)!.endsWith("*}")) refusePath();
  const segments = path.split("/");
  if (segments.slice(0, parts.length - 1).some((segment) => ENCODED_SLASH.test(segment))) refusePath();
  const rest = `/${segments.slice(parts.length - 1).join("/")}`.replace(/%2f/gi, "/");
  if (AMBIGUOUS.test(rest) || rest.endsWith("/")) refusePath();
}

function refusePath(): never {
  refuse("BAD_REQUEST", "Path: is not in canonical form", { reason: "invalid_path" });
}
