import { parseDocument } from "@octavo/markdown/document/parse";
import { expect, test } from "vitest";
import { isFaithful, segmentsIn, translatedSource } from "./segments.js";

const PAGE = `---
description: Words about it
icon: gear
vars:
  product: Octavo
---

# First steps

Install **the tool** with \`npm install\` and read [the *guide*](guides/install.md#top "Title"). See <https://example.com>, or https://example.org/Path.

{% hint style="info" %}
Version {{ space.vars.version }} costs $$x^2$$ & less than <br> ten.
{% endhint %}

\`\`\`js title="index.js"
const words = "not to be translated";
\`\`\`

{% tabs %}
{% tab title="For macOS" %}
* One item[^1]
* [ ] A task :rocket:
{% endtab %}
{% endtabs %}

| Name | What it **is** |
| --- | --- |
| \`id\` | The key |

<figure><img src=".gitbook/assets/dot.png" alt="A dot"><figcaption><p>The caption</p></figcaption></figure>

$$
y = x
$$

{% if visitor.claims.beta %}
Only for some.
{% endif %}

[^1]: A note.
`;

/** Writes the words of a segment in capitals, and leaves its tags and entities alone. */
const shout = (segment: string) =>
  segment.replace(/<[^>]*>|&\w+;|[^<&]+/g, (part) => (/^[<&]/.test(part) ? part : part.toUpperCase()));
const shouted = (markdown: string) =>
  translatedSource({ markdown, translations: segmentsIn(markdown).map(shout) }).text;

test("words are translated; code, addresses, formulas, expressions and block syntax stay", () => {
  const text = shouted(PAGE);
  for (const kept of [
    "`npm install`",
    "guides/install.md#top",
    "https://example.com",
    "https://example.org/Path.",
    "{{ space.vars.version }}",
    "$$x^2$$",
    'const words = "not to be translated";',
    'title="index.js"',
    '{% hint style="info" %}',
    "{% endhint %}",
    "{% tabs %}",
    "`id`",
    ".gitbook/assets/dot.png",
    "y = x",
    "{% if visitor.claims.beta %}",
    "icon: gear",
    "product: Octavo",
  ])
    expect(text, kept).toContain(kept);
  for (const expected of [
    "# FIRST STEPS",
    "description: WORDS ABOUT IT",
    "INSTALL **THE TOOL** WITH",
    "[THE _GUIDE_](",
    "ONE [ITEM](",
    'title="FOR MACOS"',
    "THE KEY",
    "WHAT IT **IS**",
    'alt="A DOT"',
    "THE CAPTION",
    "ONLY FOR SOME.",
    "A NOTE.",
  ])
    expect(text, expected).toContain(expected);
  expect(text).not.toMatch(/<\/?[gx]\d/);
});

test("a page whose segments stay what they are has the same document", () => {
  const same = translatedSource({ markdown: PAGE, translations: segmentsIn(PAGE) }).text;
  expect(parseDocument(same)).toEqual(parseDocument(PAGE));
});

test("a page without words for a translator stays as it is written, byte for byte", () => {
  const page = "```\ncode   \n```\n\n\n   ***\n\n42\n";
  expect(segmentsIn(page)).toEqual([]);
  expect(translatedSource({ markdown: page, translations: [] }).text).toBe(page);
});

test("tags may move in a sentence, and none may be lost, doubled, broken or moved into another", () => {
  const segment = "Use <g0>the tool</g0> with <x1/> now";
  expect(isFaithful(segment, "Jetzt <x1/> mit <g0>dem Werkzeug</g0> nutzen")).toBe(true);
  expect(isFaithful(segment, "Jetzt <x1></x1> mit <g0>dem Werkzeug</g0> nutzen")).toBe(true);
  for (const broken of [
    "Jetzt mit <g0>dem Werkzeug</g0> nutzen",
    "<x1/><x1/><g0>dem Werkzeug</g0>",
    "<x1/> <g0>dem Werkzeug",
    "<g0>dem <x1/> Werkzeug</g0>",
    "<x1/> <g0>a</g0> <g2>b</g2>",
  ])
    expect(isFaithful(segment, broken), broken).toBe(false);
});

test("a translation that lost a tag leaves its line as it was", () => {
  const page = "Use `npm` **now**.\n\nAnother line.\n";
  const translations = ["Nimm npm jetzt.", "Noch eine Zeile."];
  expect(translatedSource({ markdown: page, translations }).text).toBe(
    "Use `npm` **now**.\n\nNoch eine Zeile.\n",
  );
});

test("the text of a translation stays text, whatever it looks like", () => {
  const page = "Some words.\n";
  for (const translation of [
    "# A heading",
    "{% hint %}",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "* not a list",
    "```",
  ]) {
    const { text } = translatedSource({ markdown: page, translations: [translation] });
    const { nodes } = parseDocument(text, { body: true });
    expect(
      nodes.map(({ type }) => type),
      translation,
    ).toEqual(["paragraph"]);
  }
});
