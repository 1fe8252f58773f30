import { expect, test } from "vitest";
import { wordsMissing, wordsOfHtml, wordsOfMarkdown } from "./markdown-words.js";

const wordsIn = (markdown: string): string[] => [...wordsOfMarkdown(markdown).keys()];

test.each([
  ["text with marks", "A **bold** _slanted_ ~~gone~~ word", "A bold slanted gone word"],
  ["a link without its address", 'See [the guide](a/b.md "Hint") (x)', "See the guide Hint x"],
  ["an address in angle brackets", "[one](<a b.md>)", "one"],
  ["an address with brackets", "[one](a_(b).md) and [two](c\\)d.md)", "one and two"],
  ["a name that stands for a page", 'Go [x.md](x.md "mention") on', "Go on"],
  ["the texts of tags alone", '{% tab title="First" icon="gear" %}\nIn it\n{% endtab %}', "First In it"],
  [
    "an image by its words",
    '<img src="a.png" alt="A dot" width="3"><figcaption>Below</figcaption>',
    "A dot Below",
  ],
  ["code as it is", "`<b>` and\n\n```html\n<i title='t'>\n```\n", "and b i title t"],
  ["code in a fence that is longer", "````md\n```js\nx\n```\n````\nend", "end js x"],
  ["no numbers of lists", "1. One\n   2) Two\n* [x] Three", "One Two Three"],
  ["no formulas, emoji, notes and characters by name", "$$\\frac{a}$$ :gear: so[^1] it&#x20;is", "so it is"],
  [
    "no cards that show something else",
    '{% content-ref url="a.md" %}\n[a.md](a.md)\n{% endcontent-ref %}',
    "",
  ],
  ["Chinese characters", "安裝 x", "安 裝 x"],
])("the words of markdown: %s", (_, markdown, words) => {
  expect(wordsIn(markdown).join(" ")).toBe(words);
});

test("the words of HTML are those of its texts and of what is read out", () => {
  const html = '<p>A<b>b</b> &lt;c&gt;</p><img src="no" alt="d"><aside aria-label="e">f</aside>';
  expect([...wordsOfHtml(html).keys()].toSorted()).toEqual(["A", "Ab", "b", "c", "d", "e", "f"]);
});

test("a word is missing where it is said less often", () => {
  const markdown = wordsOfMarkdown("one two two three");
  expect(wordsMissing(markdown, wordsOfHtml("<p>one two</p><p>twothree</p>"))).toEqual(["two", "three"]);
  expect(wordsMissing(markdown, wordsOfHtml("<p>three <i>two</i> one</p>two more"))).toEqual([]);
});
