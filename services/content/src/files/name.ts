import { posix } from "node:path";

/** What no file can be called where it is saved: separators of paths, line breaks, control characters. */
const UNSAFE = /[/\\\p{Cc}\u2028\u2029]/u;

/** Why something is no name of a file; undefined when it is one. */
export function problemOfName(name: string): string | undefined {
  if (name.trim() === "") return "must not be blank";
  if (UNSAFE.test(name)) return "must not hold slashes, backslashes, line breaks or control characters";
  return name === "." || name === ".." ? "must not be a step in a path" : undefined;
}

/** The name of a file that lies at a path of a repository, where any bytes may be in it. */
export function nameAt(path: string): string {
  const name = posix.basename(path).replace(new RegExp(UNSAFE, "gu"), "_");
  return problemOfName(name) === undefined ? name : "file";
}
