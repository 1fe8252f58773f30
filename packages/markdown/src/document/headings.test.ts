import { expect, test } from "vitest";
import { parseDocument } from "./parse.js";

test("a heading with a pipe is a heading, also above what could be a table's line of dashes", () => {
  const { nodes } = parseDocument("## a | b\n| - | - |\n", { body: true });
  expect(nodes.map(({ type }) => type)).toEqual(["heading-1", "paragraph"]);
});
