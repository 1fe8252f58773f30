import { expect, test } from "vitest";
import { evaluateDocument } from "./evaluate.js";
import { type Block, blocksOf, linesText } from "./nodes.js";
import { parseDocument } from "./parse.js";
import { renderDocument } from "./render.js";

const read = (markdown: string) => parseDocument(markdown, { body: true });
const one = (markdown: string): Block => read(markdown).nodes[0]!;
const stays = (markdown: string) => expect(renderDocument(read(markdown))).toBe(markdown);
const update = (text: string) => `{% update date="2026-01-01" %}\n${text}\n{% endupdate %}`;
const tab = (text: string) => `{% tab title="One" %}\n${text}\n{% endtab %}`;
const group = (name: string, parts: string[]) => `{% ${name} %}\n${parts.join("\n\n")}\n{% end${name} %}\n`;

test.each([
  ["a comment", ["<!-- hidden -->"]],
  ["comments of several lines", ["<!-- hidden\n\nof two\n-->", "<!-- hidden -->"]],
  ["a condition", [`{% if visitor.claims.beta %}\n${update("hidden")}\n{% endif %}`]],
  ["a condition in a comment", ["<!-- {% if visitor.claims.beta %} hidden {% endif %} -->"]],
])("%s between updates is kept at its place, and the updates are read", (_, asides) => {
  const markdown = group("updates", [...asides, update("A"), ...asides, update("C"), ...asides]);
  expect(one(markdown).type).toBe("updates");
  const members = blocksOf(one(markdown));
  expect(members.map(({ type }) => type)).toEqual(["update", "update"]);
  const kept = members.map(({ fragments }) =>
    fragments!.map(({ fragment, nodes }) => [fragment, nodes.map(linesText)]),
  );
  expect(kept).toEqual([
    [
      ["before", asides],
      ["after", asides],
    ],
    [["after", asides]],
  ]);
  stays(markdown);
  stays(`* a\n\n${markdown.replace(/^(?=.)/gm, "  ")}`);
});

test("what is in a condition between updates is shown to nobody, the updates are shown to all", () => {
  const source = group("updates", [
    update("first"),
    `{% if visitor.claims.beta %}\n${update("secret")}\n{% endif %}`,
    update("last"),
  ]);
  const inputs = { space: { vars: {} }, page: { vars: {} }, visitor: { claims: {} } };
  const { document } = evaluateDocument(read(source), { inputs, source });
  const shown = JSON.stringify(document);
  expect(shown).toContain('"first"');
  expect(shown).toContain('"last"');
  expect(shown).not.toContain("secret");
  expect(renderDocument(document)).not.toContain("if");
});

test.each([
  ["tabs", "tab"],
  ["stepper", "step"],
  ["columns", "column"],
])("a comment between the members of %s", (name, member) => {
  const part = `{% ${member} %}\na\n{% end${member} %}`;
  const markdown = group(name, [part, "<!-- b -->", part]);
  expect(one(markdown)).toMatchObject({ type: name, nodes: [{}, {}] });
  stays(markdown);
});

test.each([
  "<!-- {% if visitor.a %} -->",
  "{% if visitor.a %}\nb {% if visitor.c %}\n{% endif %}",
  "<!-- a --> b",
  "<!-- a --> <!-- b\n-->",
  `{% if visitor.a %}\n${tab("b")}\n{% endif %} words`,
  "words",
])("a group is kept as it is written with what is no comment or hides what comes behind it: %j", (aside) => {
  const markdown = group("tabs", [tab("a"), aside, tab("c")]);
  expect(one(markdown).type).toBe("code");
  stays(markdown);
});
