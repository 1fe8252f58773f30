import type { Operation } from "@octavo/html/openapi/schema";
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
import { operationKey } from "../site/links.js";
import { factsOf } from "./facts.js";
import type { DrawingInput } from "./input.js";
import { SAMPLE_CODES } from "./sample-codes.js";

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

const OF_API = { kind: "openapi", spec: "parts" };
const CONTENT = { "application/json": { schema: { $ref: "#/components/schemas/Part" } } };
const OPERATION: Operation = {
  servers: ["https://api.example"],
  operation: {
    summary: "Change a part",
    description: "Changes a *part* by its `id`.",
    parameters: [
      { name: "id", in: "path", required: true, description: "Its id", schema: { type: "string" } },
      { name: "limit", in: "query", schema: { type: "integer", default: 10 } },
    ],
    requestBody: { required: true, content: CONTENT },
    responses: { 200: { description: "The part", content: CONTENT }, 404: { description: "None" } },
  },
  references: {
    "#/components/schemas/Part": {
      type: "object",
      required: ["id"],
      properties: {
        id: { type: "string", description: "Its **id**", example: "one" },
        kind: { type: "string", enum: ["a", "b"] },
        parts: { type: "array", items: { $ref: "#/components/schemas/Part" } },
      },
    },
  },
};

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
  codeOf(number),
];

function codeOf(number: number) {
  const [syntax, code] = SAMPLE_CODES[number % SAMPLE_CODES.length]!;
  const lines = code.replaceAll("part", `part${number}`).split("\n");
  return block(
    "code",
    { syntax },
    lines.map((line) => block("code-line", {}, [textNode([leaf(line)])])),
  );
}

/** A document of so many parts to draw before anybody asks for one: what draws is compiled as it is used. */
export function sampleOf(number: number, size: number): { input: DrawingInput; document: JSONDocument } {
  const parts = Array.from({ length: size }, (_, at) => partOf(number * size + at));
  return sampleWith(parts.flat());
}

/** A document that shows so many operations of an API, like `sampleOf`. */
export function operationsSample(size: number): DrawingInput {
  const shown = Array.from({ length: size }, (_, at) => `/parts/{id}/${at}`);
  const at = (path: string) => ({ ref: OF_API, path, method: "put" });
  const blocks = shown.map((path) => voidBlock("openapi-operation", at(path)));
  const keyOf = (path: string) => operationKey(OF_API, "put", path);
  return sampleWith(
    blocks,
    shown.map((path): [string, Operation] => [keyOf(path), OPERATION]),
  ).input;
}

function sampleWith(nodes: JSONDocument["nodes"], operations: DrawingInput["operations"] = []) {
  const document: JSONDocument = { object: "document", data: {}, nodes };
  const input: DrawingInput = {
    json: JSON.stringify(document),
    place: { space: "", base: "/", siteCanonical: "/" },
    site: { spaces: [], spoken: "en", newTab: false },
    own: { entries: [], first: undefined, files: [] },
    others: [],
    reusables: [],
    operations,
    time: 2_000,
    size: factsOf(document).size,
  };
  return { input, document };
}
