import {
  block,
  type Fragment,
  inline,
  type JSONDocument,
  leaf,
  mark,
  paragraph,
  textNode,
  voidBlock,
} from "@octavo/markdown/document/nodes";
import { factsOf } from "./facts.js";
import type { Given } from "./given.js";

const words = (text: string) => paragraph([textNode([leaf(text)])]);

const LINK = { ref: { kind: "url", url: "https://docs.example/" } };
const TABLE = {
  view: { type: "grid", columns: ["c1", "c2"], hideHeader: false },
  records: { r1: { orderIndex: "1", values: { c1: "c1", c2: "c2" } } },
  definition: {
    c1: { id: "c1", title: "name", type: "text", textAlignment: "left" },
    c2: { id: "c2", title: "value", type: "text", textAlignment: "left" },
  },
};
const cell = (fragment: string): Fragment => ({ object: "fragment", fragment, nodes: [words("cell")] });

/** What most pages hold. No two numbers have the same code, whose pieces would be known. */
const partOf = (number: number): JSONDocument["nodes"] => [
  { ...block("heading-1", {}, [textNode([leaf(`Part ${number}`)])]), meta: { id: `part-${number}` } },
  paragraph([
    textNode([leaf("Plain words, "), leaf("bold ones", [mark("bold")]), leaf(" and a ")]),
    inline("link", LINK, { isVoid: false, nodes: [textNode([leaf("link", [mark("code")])])] }),
  ]),
  block("list-unordered", {}, [
    block("list-item", {}, [words("One")]),
    block("list-item", {}, [words("Two")]),
  ]),
  block("hint", { style: "info" }, [words("Something to keep in mind.")]),
  voidBlock("table", TABLE, [cell("c1"), cell("c2")]),
  block("code", { syntax: "ts" }, [
    block("code-line", {}, [textNode([leaf(`export const value${number} = compute("${number}"); // one`)])]),
  ]),
];

/** A document of so many parts to draw before anybody asks for one: what draws is compiled as it is used. */
export function sampleOf(number: number, size: number): { given: Given; document: JSONDocument } {
  const parts = Array.from({ length: size }, (_, at) => partOf(number * size + at));
  const document: JSONDocument = { object: "document", data: {}, nodes: parts.flat() };
  const given: Given = {
    json: JSON.stringify(document),
    place: { space: "", base: "/" },
    site: { spaces: [], spoken: "en" },
    own: { entries: [], first: undefined, files: [] },
    ...{ others: [], reusables: [], operations: [], time: 2_000, size: factsOf(document).size },
  };
  return { given, document };
}
