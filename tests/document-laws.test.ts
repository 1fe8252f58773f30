import { expect, test } from "vitest";
import { differences, findingsIn } from "../scripts/document-laws.js";

test("what is the same in another form makes no difference", () => {
  expect(
    differences("# A\r\n\r\n```\r\na\r\nb\r\n```\r\n\r\na\r\nb\r\n", "# A\n\n```\na\nb\n```\n\na\nb\n"),
  ).toEqual([]);
  expect(differences("<a href='a.md'>x</a>", '<a href="a.md">x</a>')).toEqual([]);
  expect(differences("<p>caf&eacute; &#x110000;</p>", "<p>café &#x110000;</p>")).toEqual([]);
});

test("what is lost or changed is named", () => {
  expect(differences("# A\n\nwords", "## A\n\nword")).toEqual([
    'headings: ["-1 A","+2 A"]',
    'words: ["-words","+word"]',
  ]);
  expect(differences("```\n&lt;\n```", "```\n<\n```")).toEqual(['code: ["-&lt;","+<"]', 'words: ["-lt"]']);
  expect(differences("[a](b.md)", "[a](c.md)")).toEqual(['addresses: ["-b.md","+c.md"]']);
});

test("a page is held to the laws whatever its line ends; what it keeps as source is counted", () => {
  const page =
    "---\ntitle: T\n---\n\n## A\r\n\r\n```js\r\na();\r\nb();\r\n```\r\n\r\n<video>\r\n\r\na <u>b</u>\r\n";
  expect(findingsIn(page)).toEqual({ broken: [], kept: { blocks: 1, pieces: 2 } });
});
