import { expect, test } from "vitest";
import { jsonDocument } from "./document.js";

const document = (...nodes: unknown[]) => ({ object: "document", data: {}, nodes });
const words = (text: unknown, marks: unknown = []) => ({
  object: "text",
  leaves: [{ object: "leaf", text, marks }],
});
const paragraph = (...nodes: unknown[]) => ({ object: "block", type: "paragraph", data: {}, nodes });
const messageOf = (value: unknown) => jsonDocument.safeParse(value).error?.issues[0]?.message;

test("a document of known nodes is taken with everything it says", () => {
  const value = document(
    { object: "block", type: "hint", data: { style: "info", other: 1 }, nodes: [paragraph(words("a"))] },
    paragraph(words("b", [{ object: "mark", type: "bold" }])),
  );
  expect(jsonDocument.parse(value)).toEqual(value);
});

test.each([
  ["an unknown block", document({ object: "block", type: "blink" }), "there is no block blink"],
  [
    "an inner block at the top",
    document({ object: "block", type: "list-item" }),
    "list-item can not stand at the top",
  ],
  ["a leaf without text", document(paragraph(words(1))), "text must be a text"],
  ["an unknown mark", document(paragraph(words("a", [{ type: "blink" }]))), "known marks"],
  ["a block in a line", document(paragraph(paragraph())), "object must be text or inline"],
  ["data that is a list", document({ ...paragraph(), data: [] }), "data must be an object"],
])("%s is refused", (_, value, message) => {
  expect(messageOf(value)).toContain(message);
});

test("10,000 quotes in each other are refused", () => {
  let node: unknown = paragraph(words("deep"));
  for (let depth = 0; depth < 10_000; depth += 1)
    node = { object: "block", type: "blockquote", nodes: [node] };
  expect(messageOf(document(node))).toBe("nested more than 50 levels deep");
});
