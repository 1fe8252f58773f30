import { expect, test } from "vitest";
import { parseDocument } from "./parse.js";
import { renderDocument } from "./render.js";

const written = (markdown: string) => renderDocument(parseDocument(markdown, { body: true }));

/** Lines in the style of real pages: signs that mean nothing where they stand, beside some that do. */
const LINES = [
  "Run `npm install` first, then **restart** the server.",
  "Set **https://x.example.com**/a as the address.",
  "See **https://x.example.com/a_b?c=1&d=2** and _https://y.example.com_.",
  "Open https://example.com/a_b/c_d and wait.",
  "Open (https://example.com/a) or https://example.com/b.",
  "Go to [https://example.com/start](https://example.com/start), or write to <https://example.com/help>.",
  "The variable snake_case_name is not init__ nor _private.",
  "Files such as my_file_1.txt and MY_CONST_2 stay.",
  "Set `DATABASE_URL` and DATABASE_URL alike.",
  "A glob such as *.ts or *.md matches files.",
  "2 * 3 * 4 is 24, and a * b is not a*b.",
  "Fields marked with * are required.",
  "An array[0] or map[key][other] is read by index.",
  "[optional] arguments stand in [brackets].",
  "See [1] and [2, 3] for more; use [x] to tick.",
  "Ranges [0, 1) and (0, 1] are half open.",
  "Links [with [brackets] inside](a.md) work.",
  "Options: a|b|c, or a || b.",
  "1.5 times faster than 1.4.",
  "2020 was a year.",
  "3.14.15 is a version, and so is v1.0.0-rc.1.",
  "#1 in the list, #hashtag and C# or F#.",
  "Issue #42 is open. It costs # 5.",
  "+1 for this, and a+b is a sum.",
  "-1 is less than 0 - and so is -2.",
  "a -- b --- c and a – b — c.",
  "中文**粗體**中文。",
  "中文 **「粗體」** 中文。",
  "請參閱**設定**，然後按_確定_。",
  "**練習：**試試看。",
  "日本語の**太字**と`コード`です。",
  "한국어 **굵게** 표시.",
  "\"Quoted\" 'single' “curly” «guillemets» and it's fine.",
  "**\"Quoted\"** and _'single'_ and (**both**).",
  "**Note:** this is important!",
  "**Note**: this is important?",
  "**a**b and a**b** and a**b**c.",
  "a*b*c is emphasis in a word.",
  "_**both**_ and **bold _with italic_ in it** and _italic **with bold** in it_.",
  "~~gone~~ and ~5 minutes and ~/home/user and a~b.",
  "a < b and b > a, x <= y, 3 <5.",
  "Use -> or => or <- as arrows.",
  "I <3 this.",
  "AT&T and R&D and a & b & c; Q&A too.",
  "It costs $5, or $10 to $20; US$ 3.",
  "$HOME and $(pwd).",
  "{braces} and {{ handlebars }} and { a: 1 }.",
  "C:\\Users\\name and \\d+ and \\n for lines.",
  "Path D:\\server\\share is not what it seems.",
  "100% sure, 50 % off; e.g. this, i.e. that.",
  "Time 10:30:45, ratio 1:2, and note: this.",
  "a@b.example and @mention and user@host:path.",
  "(parentheses (in parentheses)) and (**bold** in them).",
  "**Bold**, _italic_, `code`; [link](a.md)! ![](a.png)?",
  "[**Bold link**](a.md) and [_italic_](b.md) and [`code`](c.md).",
  "**before [within](a.md) after** the link.",
  'A [link ](a.md)with a blank and [another](b.md "title").',
  "**🎉 Party** time 🎉 and 🎉**bold**.",
  "Ends with a colon: and **bold;** too.",
  "H<sub>2</sub>O and x<sup>2</sup> and <kbd>Ctrl</kbd>+<kbd>C</kbd>.",
  "Trailing star* and leading *star, a caret ^ and a tilde ~.",
  "= 5 and == and a = b.",
  '"[x]+" can be a pattern, and ^x$ is one.',
  "Ellipsis... and… and ?! and !? and !important.",
  "Semicolons; and commas, and / or \\ slashes.",
  "x_1 + x_2 = y_3 and _x_ alone.",
  "In a text [a]: b defines nothing.",
  "`a_b` and a_b and **a_b** and _a b_.",
];

test.each(LINES)("written as it was: %s", (line) => {
  expect(written(`${line}\n`)).toBe(`${line}\n`);
  expect(written(`* ${line}\n`)).toBe(`* ${line}\n`);
  expect(written(`## ${line}\n`)).toBe(`## ${line}\n`);
});

/** Lines with escapes, without which they would mean something else. */
const ESCAPED = [
  "\\*not emphasis\\* and \\_neither\\_ and \\*\\*this\\*\\*.",
  "\\[no link]\\(a.md) and \\[^1] is no note.",
  "\\`no code\\` and \\~~not gone~~.",
  "A \\<b> is no element, nor is \\&amp; an entity.",
  "\\# no heading",
  "\\- no list",
  "\\* no list",
  "1\\. no list",
  "\\> no quote",
  "\\[a]: no definition",
  "\\[ ] no task",
];

test.each(ESCAPED)("keeps the escapes that it needs: %s", (line) => {
  const again = written(`${line}\n`);
  expect(parseDocument(again, { body: true })).toEqual(parseDocument(`${line}\n`, { body: true }));
  expect(again).toContain("\\");
});

test("brackets stay escaped where source that is kept may define their label", () => {
  const page = "A \\[label] and [other](a.md).\n\n[label]: b.md\n";
  expect(parseDocument(written(page), { body: true })).toEqual(parseDocument(page, { body: true }));
  expect(written(page)).toContain("\\[label");
});
