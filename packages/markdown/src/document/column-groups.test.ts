import { expect, test } from "vitest";
import type { Block } from "./nodes.js";
import { parseDocument } from "./parse.js";
import { renderDocument } from "./render.js";

const read = (markdown: string) => parseDocument(markdown, { body: true });
const one = (markdown: string): Block => read(markdown).nodes[0]!;
const stays = (markdown: string) => expect(renderDocument(read(markdown))).toBe(markdown);
const table = (groups: string, heads = "<th>A</th><th>B</th>") =>
  `<table>${groups}<thead><tr>${heads}</tr></thead><tbody><tr><td>a</td><td>b</td></tr></tbody></table>\n`;

test.each([
  ["widths in percent", '<colgroup><col style="width: 50%"><col style="width: 50%"></colgroup>'],
  ["widths", '<colgroup><col width="120"><col></colgroup>'],
  ["attributes of the group", '<colgroup class="x" span="2"></colgroup>'],
  ["columns that span", '<colgroup><col span="2" width="80"></colgroup>'],
  ["several groups", '<colgroup><col width="25%"></colgroup><colgroup><col></colgroup>'],
  ["columns without a group", '<col width="10"><col width="20">'],
  ["more columns than the table", '<colgroup><col width="1"><col width="2"><col width="3"></colgroup>'],
  ["a caption", '<caption>a</caption><colgroup><col width="1"></colgroup><!-- a -->'],
])("a table with groups of columns is read, and written as it was: %s", (_, groups) => {
  expect(one(table(groups)).type).toBe("table");
  stays(table(groups));
});

test("the width of a column is that of its view, wherever it is set", () => {
  const { data } = one(table('<colgroup class="x"><col width="120" class="y"><col width="5em"></colgroup>'));
  expect(data).toMatchObject({
    view: { columnWidths: { c1: 120 } },
    columnGroups: [{ attributes: { class: "x" }, columns: [{ width: "120", class: "y" }, { width: "5em" }] }],
  });
  const changed = { ...data, view: { ...(data!.view as object), columnWidths: { c1: 80 } } };
  const written = renderDocument({
    object: "document",
    data: {},
    nodes: [{ ...one(table("")), data: changed }],
  });
  expect(written).toContain('<col width="80" class="y"><col width="5em">');
  expect(written).toContain("<th>A</th>");
});

test("the width of a head cell counts", () => {
  const markdown = table('<colgroup><col width="10"></colgroup>', '<th width="90">A</th><th>B</th>');
  expect(one(markdown).data).toMatchObject({ view: { columnWidths: { c1: 90 } } });
  stays(markdown);
});

test.each([
  "<colgroup>words</colgroup>",
  "<colgroup><col>",
  "<col></col>",
  "<colgroup><tr><td>a</td></tr></colgroup>",
])("a table whose groups of columns are none is kept: %s", (groups) => {
  expect(one(table(groups)).type).toBe(groups === "<colgroup><col>" ? "table" : "code");
});
