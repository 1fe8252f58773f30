import { expect, test } from "vitest";
import { partOf, sharedOf, wordsOf } from "./same-text.js";

test("the words of a page are those of its main part, without what stands around its text", () => {
  const html = `<body><header>Site</header><main><nav>Home</nav><header><h1>A title</h1></header><p>Words, <b>bold</b> ones.</p>
    <p>說明文件</p><button>Copy</button><math><mi>x</mi></math><aside>Outline</aside></main><footer>Ours</footer>`;
  expect(wordsOf(html)).toEqual(["A", "title", "Words", "bold", "ones", "說", "明", "文", "件"]);
  expect(wordsOf("<body><p>Nothing main</p>")).toEqual([]);
});

test("texts share the words that both have, as often as both have them, in any order", () => {
  const words = (text: string) => text.split(" ").filter(Boolean);
  const part = (one: string, other: string) => partOf(sharedOf(words(one), words(other)));
  expect(part("a b c", "c a b")).toBe(1);
  expect(part("", "")).toBe(1);
  expect(part("a b", "c d")).toBe(0);
  expect(sharedOf(words("a a b"), words("a b b"))).toEqual({ both: 2, one: 3, other: 3 });
  expect(part("a b c d", "a b c")).toBeCloseTo(6 / 7);
});
