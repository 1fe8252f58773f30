import { anchorsOf } from "@octavo/markdown/links/references";
import { decideConflicts } from "@octavo/markdown/merge/decide";
import { mergeMarkdown } from "@octavo/markdown/merge/merge";
import { revertBlocks } from "@octavo/markdown/merge/revert";
import { sections } from "@octavo/markdown/source/sections";
import { readSource } from "@octavo/markdown/source/source";
import { tableOfContents } from "../documents/contents-table.js";
import { convertDialect } from "../documents/dialects/dialect.js";
import { renderSent } from "../documents/document.js";
import { readDocx } from "../documents/docx.js";
import { followedIn } from "../documents/followed.js";
import { readContents, readHtml } from "../documents/html.js";
import { readImported } from "../documents/imported.js";
import { readComment, readDocument, readJson, readMarkdown, readShown } from "../documents/reading.js";
import { segmentsIn, translatedSource } from "../documents/segments.js";
import { insertedText, reusableText, rewrittenText } from "../documents/texts.js";
import { indexOf } from "../lexemes/page-index.js";

/** What takes as long as texts are. Each is a function of data alone. */
export const tasks = {
  readComment,
  readDocument,
  readJson,
  readMarkdown,
  readShown,
  readSource,
  readImported,
  readHtml,
  readContents,
  readDocx,
  convertDialect,
  renderSent,
  insertedText,
  rewrittenText,
  reusableText,
  segmentsIn,
  translatedSource,
  mergeMarkdown,
  decideConflicts: ({ texts, wanted }: { texts: Parameters<typeof decideConflicts>[0]; wanted?: string }) =>
    decideConflicts(texts, wanted),
  revertBlocks: ({ now, former, keys }: { now: string; former: string; keys: string[] }) =>
    revertBlocks(now, former, keys),
  sections,
  indexOf,
  referencesIn: followedIn,
  anchorsOf,
  tableOfContents,
};
