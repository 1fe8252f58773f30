import { expect, test } from "vitest";
import { withAnchors } from "../document/anchors.js";
import { type Block, blocksOf } from "../document/nodes.js";
import { parseDocument } from "../document/parse.js";
import { sections } from "../source/sections.js";
import { randomText, seeded } from "../testing/random.js";
import { anchorsOf, referencesIn } from "./references.js";

test("referencesIn finds every address of a page once, in order", () => {
  const page = `---
cover: ../assets/x.png
---
# Page

[a](b.md#c) and [again](b.md#c), ![alt](<my pic.png>), https://plain.example/x. <https://angle.example>
[mail](mailto:a@b.c) [here](#there) [root](/top.md) [ref][r] \`[code](code.md)\`
{% embed url="https://video.example/1" %}
{% include "../.gitbook/includes/x.md" %}
{% openapi-operation spec="petstore" path="/pets" method="get" %}
{% endopenapi-operation %}
[lost](/broken/pages/abc) <a href="https://example.com/q?a=1&amp;b=2">x</a>

[r]: ref.md
`;
  expect(referencesIn(page).map(({ kind, url }) => `${kind} ${url}`)).toEqual([
    "cover ../assets/x.png",
    "link b.md#c",
    "image my pic.png",
    "link https://plain.example/x",
    "link https://angle.example",
    "link mailto:a@b.c",
    "link #there",
    "link /top.md",
    "link https://video.example/1",
    "include ../.gitbook/includes/x.md",
    "openapi petstore",
    "link /broken/pages/abc",
    "link https://example.com/q?a=1&b=2",
    "link ref.md",
  ]);
});

test("anchorsOf finds headings, tabs, expandables and ids that are written down", () => {
  const page = `# Title

## Set up

{% tabs %}
{% tab title="On a Mac" %}
### Set up
{% endtab %}
{% endtabs %}

## Own <a href="#mine" id="mine"></a>

<details>

<summary>More</summary>

Words.

</details>
`;
  expect(anchorsOf(page).sort()).toEqual(["mine", "more", "on-a-mac", "set-up", "set-up-1"]);
});

test("anchors that GitHub would give are found beside our own", () => {
  const page = "# T\n\n## Copy/Move\n\n## Copy/Move\n\n## A & B\n";
  const own = ["copy-move", "copy-move-1", "a-and-b"];
  expect(anchorsOf(page)).toEqual([...own, "copymove", "copymove-1", "a--b"]);
});

test("the updates of a changelog are read like the page around them", () => {
  const page = `# Changes

{% updates format="full" %}
{% update date="2026-02-01" tags="beta" %}
## Improvements

See [the guide](guide.md#start).
{% endupdate %}

{% update date="2026-01-01" %}
## Improvements

{% prompt description="Ask about it" %}
\`\`\`
Why?
\`\`\`
{% endprompt %}
{% endupdate %}
{% endupdates %}

## Improvements
`;
  expect(anchorsOf(page).sort()).toEqual(["improvements", "improvements-1", "improvements-2"]);
  expect(referencesIn(page)).toEqual([{ kind: "link", url: "guide.md#start" }]);
  const found = sections(page);
  expect(found.map(({ anchor, text }) => [anchor, text])).toEqual([
    [undefined, ""],
    ["improvements", "See the guide."],
    ["improvements-1", "Ask about it\nWhy?"],
    ["improvements-2", ""],
  ]);
  const headings = withAnchors(parseDocument(page)).nodes.flatMap(headingsIn);
  expect(headings).toEqual(found.flatMap(({ anchor }) => anchor ?? []));
});

const headingsIn = (node: Block): unknown[] =>
  node.type.startsWith("heading-") ? [node.meta?.id] : blocksOf(node).flatMap(headingsIn);

test("referencesIn of anything ends", () => {
  for (let seed = 0; seed < 500; seed += 1)
    expect(referencesIn(randomText(seeded(seed)))).toBeInstanceOf(Array);
});
