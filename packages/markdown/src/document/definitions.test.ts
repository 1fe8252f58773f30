import { expect, test } from "vitest";
import { evaluateDocument } from "./evaluate.js";
import { parseDocument } from "./parse.js";
import { renderDocument } from "./render.js";

const written = (markdown: string) => renderDocument(parseDocument(markdown, { body: true }));
const shown = (source: string, claims: Record<string, unknown> = {}) => {
  const inputs = { space: { vars: {} }, page: { vars: {} }, visitor: { claims } };
  return renderDocument(evaluateDocument(parseDocument(source, { body: true }), { inputs, source }).document);
};
const inIf = (text: string) => `{% if visitor.claims.x %}\n${text}\n{% endif %}`;
const R = "[r]: http://SECRET";

test.each([
  ["in a condition", `[a][r]\n\n${inIf(R)}\n`],
  ["before the link", `${inIf(R)}\n\n[a][r]\n`],
  ["of an image", `![a][r]\n\n${inIf(R)}\n`],
  ["of a short link", `# H [r]\n\n| [r] |\n|-|\n| b |\n\n${inIf(R)}\n`],
  ["in a list", `[a][r]\n\n${inIf(`- one\n\n  ${R}`)}\n`],
  ["in a hint", `[a][r]\n\n${inIf(`{% hint style="info" %}\n${R}\n{% endhint %}`)}\n`],
  ["in a note", `[a][r]\n\n${inIf(`b[^1]\n\n[^1]: c\n\n    ${R}`)}\n`],
  ["in another condition", `${inIf("[a][r]")}\n\n[a][r]\n\n${inIf(R)}\n`],
  ["in a condition without end", `[a][r]\n\n{% if visitor.claims.x %}\n\n${R}\n`],
  ["in a condition that spans blocks", `[a][r]\n\nb {% if visitor.claims.x %}\n\n${R}\n\n{% endif %}\n`],
  ["in a condition over lines", `[a][r]\n\nb {%\nif visitor.claims.x %}\n\n${R}\n\n{% endif %} c\n`],
  ["in an expression without end", `[a][r]\n\nb <code class="expression">\n\n${R}\n`],
])("a definition %s is not visible outside", (_, markdown) => {
  expect(shown(markdown)).not.toContain("SECRET");
  expect(written(markdown)).toContain(R);
});

test("in its condition a definition resolves, and those around it do, too", () => {
  const page = `[o]: http://outer\n\n${inIf(`[a][r], [b][o]\n\n${inIf("[a][r]")}\n\n[r]: http://inner`)}\n`;
  expect(shown(page, { x: true })).toBe("[a](http://inner), [b](http://outer)\n\n[a](http://inner)\n");
  expect(shown(page)).toBe("");
  const same = `${inIf("[a][r]\n\n[r]: http://inner")}\n\n[a][r]\n\n[r]: http://outer\n`;
  expect(shown(same, { x: true })).toBe("[a](http://inner)\n\n[a](http://outer)\n");
});

test("definitions behind a condition, in code or escaped resolve", () => {
  for (const before of ["b {% if x %}c{% endif %}", "`{% if x %}`", "```\n{% if x %}\n```", "\\{% if x %}"])
    expect(written(`[a][r]\n\n${before}\n\n[r]: http://open\n`)).toContain("[a](http://open)");
});

test.each([
  ["comment", "a {% if x %} <!-- {% endif %} --> SECRET {% endif %} b"],
  ["tag", 'a {% if x %} <b title="{% endif %}"> SECRET {% endif %} b'],
  [
    "comment of an unread table",
    "<table><tr><td>{% if x %}<!-- {% endif %} -->SECRET{% endif %}</td></tr></table>",
  ],
])("the end of a condition does not stand in a %s", (_, markdown) => {
  expect(shown(markdown)).not.toContain("SECRET");
});

test("a condition in a comment ends in it", () => {
  expect(shown("a <!-- {% if x %}SECRET{% endif %} --> b\n")).toBe("a <!--  --> b\n");
  expect(shown("a <!-- {% if x %} SECRET --> SECRET\n")).not.toContain("SECRET");
});
