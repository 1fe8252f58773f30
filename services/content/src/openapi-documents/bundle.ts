import { readUrl } from "@octavo/shared/read-url";
import type { JsonObject } from "./json.js";
import { parseText } from "./parse.js";
import { DocumentError, MOST_PROBLEMS, type Problem, reject } from "./problem.js";
import { type Reference, referencesIn, stepsOf, targetOf } from "./references.js";

/** A file of a document, as it was fetched or sent. */
export interface SourceFile {
  /** The address by which others refer to it; empty for a text that was sent. */
  url: string;
  /** The address that it came from in the end, which its own references start from. */
  base: string;
  text: string;
}

/** Where the other files of a document lie in the one that is made of all of them. */
const HOME = "x-ext";

/**
 * Makes one document of a file and all that it refers to, directly or not: those lie under `x-ext` by their number, and
 * references lead there. `missing` are addresses of files to be fetched before that can be done. Nothing is copied to
 * where it is referred to, so the document grows no larger than its files, and circles stay what they are.
 */
export function bundle(files: SourceFile[]): { document: JsonObject } | { missing: string[] } {
  const parsed = files.map((file) => ({ ...file, content: parseText(file.text) }));
  const numbers = new Map(parsed.map(({ url }, number) => [url, number]));
  const missing = new Set<string>();
  const moves: (() => void)[] = [];
  for (const [number, { base, content }] of parsed.entries()) {
    for (const reference of referencesIn(content)) {
      const { url, fragment } = addressOf(reference, base);
      const target = url === undefined ? number : numbers.get(url);
      if (target === undefined) missing.add(url!);
      else moves.push(() => (reference.at[reference.field] = localTo(target, fragment)));
    }
  }
  if (missing.size > 0) return { missing: [...missing] };
  for (const move of moves) move();
  const [entry, ...others] = parsed;
  const document = entry!.content;
  if (others.length > 0)
    document[HOME] = Object.fromEntries(others.map(({ content }, at) => [`${at + 1}`, content]));
  refuseDangling(document);
  return { document };
}

/** The file and the place in it that a reference names; no file for one into its own. */
function addressOf({ to }: Reference, base: string): { url?: string; fragment: string } {
  const at = to.indexOf("#");
  const fragment = at < 0 ? "" : to.slice(at + 1);
  const path = at < 0 ? to : to.slice(0, at);
  if (path === "") return { fragment };
  const url = readUrl(path, base || undefined);
  if (!url) return reject("dereference", `A text that was sent cannot refer to a file beside it: ${to}`);
  if (!/^https?:$/.test(url.protocol))
    reject("dereference", `A reference leads neither to http nor https: ${to}`);
  return { url: url.href, fragment };
}

/** A reference inside the one document. A name of an anchor is known in all of it. */
function localTo(number: number, fragment: string): string {
  if (stepsOf(fragment) === undefined || number === 0) return `#${fragment}`;
  return `#/${HOME}/${number}${fragment}`;
}

function refuseDangling(document: JsonObject): void {
  const problems: Problem[] = [];
  for (const { to } of referencesIn(document)) {
    if (!to.startsWith("#/") || targetOf(document, to) !== undefined) continue;
    problems.push({ message: `A reference leads nowhere: ${to.slice(0, 300)}`, code: "dereference" });
    if (problems.length === MOST_PROBLEMS) break;
  }
  if (problems.length > 0) throw new DocumentError(problems);
}
