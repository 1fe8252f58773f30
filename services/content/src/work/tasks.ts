import { decideConflicts } from "@octavo/markdown/decide";
import { mergeMarkdown } from "@octavo/markdown/merge";
import { anchorsOf } from "@octavo/markdown/references";
import { revertBlocks } from "@octavo/markdown/revert";
import { sections } from "@octavo/markdown/sections";
import { readSource } from "@octavo/markdown/source";
import { renderSent } from "../content/document.js";
import { readComment, readDocument, readMarkdown, readShown } from "../content/reading.js";
import { insertedText, rewrittenText } from "../editing/texts.js";
import { readImported } from "../git/imported.js";
import { followedIn } from "../links/followed.js";
import type { Disputed } from "../store/combine.js";

/** What takes as long as texts are. Each is a function of data alone. */
export const tasks = {
  readComment,
  readDocument,
  readMarkdown,
  readShown,
  readSource,
  readImported,
  renderSent,
  insertedText,
  rewrittenText,
  mergeMarkdown,
  decideConflicts: ({ texts, wanted }: { texts: Disputed; wanted?: string }) =>
    decideConflicts(texts, wanted),
  revertBlocks: ({ now, former, keys }: { now: string; former: string; keys: string[] }) =>
    revertBlocks(now, former, keys),
  sections,
  referencesIn: followedIn,
  anchorsOf,
};
