import { createHash } from "node:crypto";
import { bundle, type SourceFile } from "./bundle.js";
import { type BreakingChanges, compare } from "./compare.js";
import type { Json, JsonObject } from "./json.js";
import { parseText } from "./parse.js";
import { DocumentError, type Problem } from "./problem.js";
import { asVersion3 } from "./upgrade.js";

/** What became of reading a document: files that it needs as well, mistakes, or the whole as JSON. */
export type Reading =
  | { missing: string[] }
  | { problems: Problem[] }
  | {
      document: string;
      /** SHA-256 of the document in base64url. */
      hash: string;
    };

/** Reads the files of a document, the entry first. */
export async function read({ files }: { files: SourceFile[] }): Promise<Reading> {
  try {
    const made = bundle(files);
    if ("missing" in made) return made;
    // Its schemas are most of what a thread would load before its first document.
    const { refuseInvalid } = await import("./validate.js");
    await refuseInvalid(made.document);
    const document = JSON.stringify(made.document);
    // What can not be read later on is refused at once.
    asVersion3(made.document);
    return { document, hash: createHash("sha256").update(document).digest("base64url") };
  } catch (error) {
    if (error instanceof DocumentError) return { problems: error.problems };
    if (error instanceof RangeError)
      return { problems: [{ message: "The document is too large, or nests too deep", code: "too-large" }] };
    throw error;
  }
}

/** Characters of a document that is read as it is written. */
const LONGEST_AS_WRITTEN = 8_000_000;

/**
 * A text as a document, in JSON, for whoever shows a part of it: it need not be valid, and references may lead nowhere.
 * Undefined when it is no document.
 */
export function readAsWritten({ text }: { text: string }): string | undefined {
  try {
    const document = JSON.stringify(parseText(text));
    return document.length > LONGEST_AS_WRITTEN ? undefined : document;
  } catch (error) {
    if (error instanceof DocumentError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** What clients of the former document cannot rely on in the present one; both are JSON. */
export const compareTexts = ({ former, present }: { former: string; present: string }): BreakingChanges =>
  compare(JSON.parse(former) as JsonObject, JSON.parse(present) as JsonObject);

/** A document as a value. */
export const open = ({ document }: { document: string }) => JSON.parse(document) as Json;

/** A document as a value, one of version 2.0 as version 3.0 has it. */
export const openUpgraded = ({ document }: { document: string }) =>
  asVersion3(JSON.parse(document) as JsonObject) as Json;

export const tasks = { read, readAsWritten, compareTexts, open, openUpgraded };
