import { expect, test } from "vitest";
import { randomPage, randomText, seeded } from "../testing/random.js";
import { evaluateDocument } from "./evaluate.js";
import { type Block, plainText } from "./nodes.js";
import { parseDocument } from "./parse.js";
import { renderDocument } from "./render.js";
import { randomDocument } from "./testing.js";

const inputs = {
  space: { vars: { product: "Octavo", beta: false, lines: "a\nb", mark: "*not* <b>" } },
  page: { vars: { level: 3 } },
  visitor: { claims: { plan: "pro" } },
};
const show = (markdown: string, deterministicOnly = false) => {
  const document = parseDocument(markdown, { body: true });
  return renderDocument(evaluateDocument(document, { inputs, deterministicOnly }).document);
};
const expr = (source: string) => `<code class="expression">${source}</code>`;

test("an expression is the text it stands for, in the line that it was in", () => {
  expect(show(`The **best** ${expr("space.vars.product")}, level ${expr("page.vars.level")}.\n`)).toBe(
    "The **best** Octavo, level 3.\n",
  );
  expect(show(`${expr("space.vars.missing")}${expr("broken(")}\n`)).toBe("");
  expect(show(`a ${expr("space.vars.mark")} b\n`)).toBe("a \\*not\\* \\<b> b\n");
  expect(show(`${expr("space.vars.lines")}\n`)).toBe("a\\\nb\n");
});

test("neighbours of an expression become one text with it", () => {
  const document = parseDocument(`a ${expr("space.vars.product")} b\n`, { body: true });
  expect(evaluateDocument(document, { inputs }).document.nodes[0]!.nodes).toEqual([
    { object: "text", leaves: [{ object: "leaf", text: "a Octavo b", marks: [] }] },
  ]);
});

test.each([
  ["heading", `## About ${expr("space.vars.product")}\n`, "## About Octavo\n"],
  ["list", `* ${expr("space.vars.product")}\n`, "* Octavo\n"],
  ["table", `| a |\n| --- |\n| ${expr("space.vars.product")} |\n`, "| a |\n| --- |\n| Octavo |\n"],
  [
    "expandable",
    `<details>\n\n<summary>${expr("space.vars.product")}</summary>\n\n${expr("page.vars.level")}\n\n</details>\n`,
    "<details>\n\n<summary>Octavo</summary>\n\n3\n\n</details>\n",
  ],
  ["note", `a[^1]\n\n[^1]: ${expr("space.vars.product")}\n`, "[a](#user-content-fn-1)[^1]\n\n[^1]: Octavo\n"],
  ["line of code", `<pre><code>x ${expr("space.vars.lines")} y</code></pre>\n`, "```\nx a b y\n```\n"],
])("an expression in a %s", (_, markdown, shown) => {
  expect(show(markdown)).toBe(shown);
});

const block = (condition: string, text: string) => `{% if ${condition} %}\n${text}\n{% endif %}`;

test("a conditional block is what is in it, or nothing", () => {
  const page = ["Before", block("space.vars.beta", "Beta"), block("page.vars.level > 2", "Hard"), "After"];
  expect(show(page.join("\n\n"))).toBe("Before\n\nHard\n\nAfter\n");
  expect(show(block("broken(", "Broken"))).toBe("");
  expect(show(block("true", block("false", "No")))).toBe("");
  expect(show(block("true", block("true", "Yes")))).toBe("Yes\n");
});

test("what is left without blocks has an empty paragraph", () => {
  const hint = `{% hint style="info" %}\n${block("false", "No")}\n{% endhint %}\n`;
  const { document } = evaluateDocument(parseDocument(hint, { body: true }), { inputs });
  expect(document.nodes).toEqual([
    {
      object: "block",
      type: "hint",
      data: { style: "info" },
      nodes: [{ object: "block", type: "paragraph", data: {}, nodes: [] }],
    },
  ]);
});

test("with an option, only what is the same for every visitor is evaluated", () => {
  const mine = block('visitor.claims.plan == "pro"', `Mine, ${expr("visitor.claims.plan")}`);
  const page = `${mine}\n\n${block("space.vars.beta", "Beta")}\n\n${expr("space.vars.product")}\n`;
  expect(show(page)).toBe("Mine, pro\n\nOctavo\n");
  expect(show(page, true)).toBe(`${mine}\n\nOctavo\n`);
  const inside = block('visitor.claims.plan == "pro"', block("false", "No"));
  expect(show(inside, true)).not.toContain("No");
});

test("a document without expressions is the same one", () => {
  const document = parseDocument("# Title\n\nText `space.vars.x` {{ y }}\n");
  expect(evaluateDocument(document, { inputs })).toEqual({ document, changed: false });
});

test("nothing is left to evaluate, words outside stay, and what comes out is a document like others", () => {
  for (let seed = 0; seed < 400; seed += 1) {
    const { document } = evaluateDocument(randomDocument(seeded(seed)), { inputs });
    expect(JSON.stringify(document), `seed ${seed}`).not.toMatch(/"type":"(if|expression)"/);
    const written = renderDocument(document);
    expect(renderDocument(parseDocument(written, { body: true })), `seed ${seed}`).toBe(written);
    for (const make of [randomPage, randomText]) {
      const page = parseDocument(make(seeded(seed)), { body: true });
      const { document: shown, changed } = evaluateDocument(page, { inputs });
      if (!changed) expect(shown).toBe(page);
    }
  }
});

test("10,000 expressions and conditions end, and the last ones count as failed", () => {
  const hard = `${"[1,2,3,4,5,6,7,8].map(a => ".repeat(6)}1${")".repeat(6)}`;
  const nodes: Block[] = Array.from({ length: 10_000 }, () => ({
    object: "block",
    type: "if",
    data: { expression: `${hard} && true` },
    nodes: [],
  }));
  const last = parseDocument(expr("1 + 1"), { body: true }).nodes;
  const { document } = evaluateDocument(
    { object: "document", data: {}, nodes: [...nodes, ...last] },
    { inputs },
  );
  expect(plainText(document.nodes)).toBe("");
});
