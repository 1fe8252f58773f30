import { expect, test } from "vitest";
import { evaluateDocument } from "./evaluate.js";
import { type Block, blocksOf } from "./nodes.js";
import { parseDocument } from "./parse.js";
import { renderDocument } from "./render.js";

// Tags as elements, the form that they have in cells and items, and that some editors give them everywhere.

const read = (markdown: string) => parseDocument(markdown, { body: true });
const one = (markdown: string): Block => read(markdown).nodes[0]!;
const stays = (markdown: string) => expect(renderDocument(read(markdown))).toBe(markdown);
const element = (tag: string, attrs: string, inner: string) =>
  `<div data-gb-custom-block data-tag="${tag}"${attrs}>${inner}</div>`;
const around = (tag: string, attrs: string, inner: string) =>
  `<div data-gb-custom-block data-tag="${tag}"${attrs}>\n\n${inner}\n\n</div>`;
const inCell = (cell: string) =>
  `<table><thead><tr><th width="90">A</th></tr></thead><tbody><tr><td>${cell}</td></tr></tbody></table>\n`;
const inItem = (source: string) => `1. a\n\n   ${source.replaceAll(/\n(?=.)/g, "\n   ")}\n\n2. b\n`;

const GROUPS: [group: string, member: string, attrs: string, type: string, data: object][] = [
  ["tabs", "tab", ' data-title="One"', "tabs-item", { title: "One" }],
  ["stepper", "step", "", "stepper-step", {}],
  ["columns", "column", ' data-width="50%"', "column", { width: { unit: "%", value: 50 } }],
  ["updates", "update", ' data-date="2026-01-01"', "update", { date: "2026-01-01" }],
];

test.each(GROUPS)(
  "%s of HTML hold what is in them, and are written as they were",
  (group, member, attrs, type, data) => {
    const part = element(member, attrs, "<h3>Head</h3><ul><li>a</li></ul>");
    const source = element(group, "", part + part);
    for (const markdown of [`${source}\n`, inItem(source), inCell(source), inCell(`<p>Text</p>${source}`)]) {
      expect(JSON.stringify(read(markdown))).not.toContain('"verbatim":true');
      stays(markdown);
    }
    const found = one(`${source}\n`);
    expect(found.type).toBe(group);
    expect(blocksOf(found)).toMatchObject([
      { type, data },
      { type, data },
    ]);
    expect(blocksOf(blocksOf(found)[0]!).map((node) => node.type)).toEqual(["heading-2", "list-unordered"]);
  },
);

test.each(GROUPS)(
  "%s around markdown are read as the tags are, and written as they were",
  (group, member, attrs, type, data) => {
    const part = around(member, attrs.replaceAll('"', "'"), "### Head\n\n* a");
    const source = around(group, "", [part, part].join("\n\n"));
    for (const markdown of [`${source}\n`, inItem(source)]) {
      expect(JSON.stringify(read(markdown))).not.toContain('"verbatim":true');
      stays(markdown);
    }
    expect(one(`${source}\n`)).toMatchObject({
      type: group,
      nodes: [
        { type, data },
        { type, data },
      ],
    });
  },
);

test("members of both forms stand in one group", () => {
  const tab = '{% tab title="One" %}\na\n{% endtab %}';
  const markdown = `{% tabs %}\n${tab}\n\n${around("tab", " data-title='Two'", "b")}\n{% endtabs %}\n`;
  expect(one(markdown)).toMatchObject({
    type: "tabs",
    nodes: [{ data: { title: "One" } }, { data: { title: "Two" } }],
  });
  stays(markdown);
});

test("tabs in a step, and a hint in a tab", () => {
  const hint = element("hint", ' data-style="info" class="hint hint-info"', "<p>b</p>");
  const tabs = element("tabs", "", element("tab", ' data-title="One"', `<p>a</p>${hint}`));
  const markdown = `${element("stepper", "", element("step", "", tabs))}\n`;
  expect(JSON.stringify(one(markdown))).toContain('"type":"hint"');
  stays(markdown);
});

test("comments between members are kept", () => {
  const tab = element("tab", ' data-title="One"', "<p>a</p>");
  const markdown = `${element("tabs", "", `<!-- before -->${tab}<!-- after -->${tab}`)}\n`;
  expect(one(markdown)).toMatchObject({
    type: "tabs",
    nodes: [{ fragments: [{ fragment: "before" }, { fragment: "after" }] }, {}],
  });
  stays(markdown);
  const parts = around("tab", " data-title='One'", "a");
  stays(`${around("tabs", "", [parts, "<!-- between -->", parts].join("\n\n"))}\n`);
});

test("a member on its own is in a group", () => {
  for (const source of [
    element("tab", ' data-title="One"', "<p>a</p>"),
    around("tab", " data-title='One'", "a"),
  ]) {
    expect(one(`${source}\n`)).toMatchObject({ type: "tabs", nodes: [{ type: "tabs-item" }] });
    expect(renderDocument(read(`${source}\n`)).replaceAll(/\s/g, "")).toContain(source.replaceAll(/\s/g, ""));
  }
});

test.each([
  element("tabs", "", "words"),
  element("tabs", "", "<p>a</p>"),
  element("tabs", "", element("step", "", "<p>a</p>")),
  element("tabs", "", `${element("tab", "", "a")} words`),
  element("tabs", "", `<!-- {% if visitor.a %} -->${element("tab", "", "a")}`),
  around("tabs", "", `${around("tab", "", "a")}\n\nwords`),
  around("tabs", "", around("step", "", "a")),
  `${element("tabs", ' onclick="a"', element("tab", "", "a"))}`,
])("a group that holds something else is kept as it is written: %s", (source) => {
  expect(one(`${source}\n`)).toMatchObject({ type: "code", data: { verbatim: true } });
  stays(`${source}\n`);
});

test("names of options in any spelling", () => {
  const code = around(
    "code",
    " data-title='a.js' data-lineNumbers='true' data-overflow='wrap'",
    "```js\na\n```",
  );
  expect(one(`${code}\n`)).toMatchObject({
    type: "code",
    data: { syntax: "js", title: "a.js", lineNumbers: true, overflow: "wrap" },
  });
  expect(one(`${code.replace("lineNumbers", "line-numbers")}\n`)).toEqual(one(`${code}\n`));
  const dense = code.replaceAll("\n\n", "\n");
  expect(one(`${dense}\n`)).toEqual(one(`${code}\n`));
});

test("a condition in a tab hides what it hides", () => {
  const tabs = element(
    "tabs",
    "",
    element("tab", "", "<p>{% if visitor.claims.a %} secret {% endif %} b</p>"),
  );
  const inputs = { space: { vars: {} }, page: { vars: {} }, visitor: { claims: {} } };
  const { document } = evaluateDocument(read(`${tabs}\n`), { inputs, source: tabs });
  expect(JSON.stringify(document)).not.toContain("secret");
});
