import { createRequire } from "node:module";
import type { LanguageFn } from "highlight.js";
import hljs from "highlight.js/lib/core";
import { expect, test } from "vitest";
import { allow } from "./deadline.js";
import { highlight } from "./highlight.js";
import { LANGUAGES, languageNamed, load, piecesIn } from "./languages.js";

const require = createRequire(import.meta.url);

test("every language has a grammar, and the names that this has for it", () => {
  for (const [language, names] of Object.entries(LANGUAGES)) {
    const grammar = (require(`highlight.js/lib/languages/${language}`) as LanguageFn)(hljs);
    // Some grammars refuse themselves a name that belongs to another one.
    expect(grammar.aliases ?? [], language).toEqual(expect.arrayContaining([...names]));
    expect(languageNamed(language.toUpperCase())).toBe(language);
    for (const name of names) expect(languageNamed(name), name).toBeDefined();
  }
  for (const name of ["", "nothing", "__proto__", "constructor", "../core"])
    expect(languageNamed(name)).toBeUndefined();
});

test("the pieces of code in every language are the code, also of code in code", () => {
  const codes = [
    "<style>a { color: red }</style><script>const a = `<b>1</b>`; // é</script>",
    "# Title\n\n```js\nconst a = 1;\n```\n",
    'HTTP/1.1 200 OK\ncontent-type: application/json\n\n{"a": [1, true]}',
    "create function f() returns int as $$ return 1 $$ language plpython3u;",
    '$ echo "$HOME" && exit 1\n',
  ];
  for (const language of Object.keys(LANGUAGES))
    for (const code of codes) {
      const pieces = piecesIn(language, code);
      expect(pieces?.map(({ text }) => text).join(""), language).toBe(code);
    }
});

test("a grammar that fails within another one leaves nothing of the code out", () => {
  const code = "<script>\n  import a from 'b';\n</script>";
  const held = load("xml").getLanguage("javascript") as { matcher?: unknown };
  const { matcher } = held;
  held.matcher = undefined;
  expect(piecesIn("xml", code)).toBeUndefined();
  held.matcher = matcher;
  expect(piecesIn("xml", code)).toBeDefined();
});

test("keywords, texts and comments have colors, and code in code has its own", () => {
  const kinds = (text: string, syntax: string) =>
    new Map(highlight(text, syntax, allow(10_000))!.map(({ text, kind }) => [text.trim(), kind]));
  const script = kinds("<script>const a = 'b'; // c\n</script>", "html");
  expect([script.get("const"), script.get("'b'"), script.get("// c")]).toEqual(["k", "s", "c"]);
  expect(kinds("return f(1)", "ts").get("return")).toBe("k");
  expect(highlight("a", "no such language", allow(10_000))).toBeUndefined();
});
