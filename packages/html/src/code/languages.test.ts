import { refractor } from "refractor/core";
import { expect, test } from "vitest";
import { allow } from "./deadline.js";
import { highlight } from "./highlight.js";
import { languageNamed, languages, piecesIn } from "./languages.js";

test("a language is known by the names that authors write, whatever their case", () => {
  for (const names of [
    ["javascript", "JS", "mjs", "node"],
    ["markup", "html", "xml", "svg", "vue"],
    ["bash", "sh", "zsh", "shell"],
    ["yaml", "yml"],
    ["sql", "PostgreSQL", "pgsql"],
    ["shell-session", "console"],
  ])
    for (const name of names) {
      const same = piecesIn(languageNamed(name)!, "<a> $a = 'b' # c");
      expect(same, name).toEqual(piecesIn(names[0]!, "<a> $a = 'b' # c"));
    }
  // Also what is a function of the highlighter's table of languages.
  for (const name of ["", "nothing", "__proto__", "constructor", "extend", "insertBefore", "DFS", "../core"])
    expect(languageNamed(name), name).toBeUndefined();
});

test("the pieces of code in every language are the code, also of code in code", () => {
  const codes = [
    "<style>a { color: red }</style><script>const a = `<b>1</b>`; // é</script>",
    "# Title\n\n```js\nconst a = 1;\n```\n",
    'HTTP/1.1 200 OK\ncontent-type: application/json\n\n{"a": [1, true]}',
    "create function f() returns int as $$ return 1 $$ language plpython3u;",
    '$ echo "$HOME" && exit 1\n',
  ];
  for (const language of languages())
    for (const code of codes) {
      const pieces = piecesIn(languageNamed(language)!, code);
      expect(pieces?.map(({ text }) => text).join(""), language).toBe(code);
    }
});

test("code that a grammar takes something from is drawn as it is", () => {
  const leaky = Object.assign(() => undefined, { displayName: "leaky", aliases: [] });
  refractor.register(leaky as never);
  refractor.languages.leaky = { word: /\w+/ };
  expect(piecesIn("leaky", "one two")).toBeDefined();
  const take = ({ language, content }: { language: string; content: { value?: string } }) => {
    if (language === "leaky") content.value = "";
  };
  (refractor as never as { hooks: { add(name: string, hook: typeof take): void } }).hooks.add("wrap", take);
  expect(piecesIn("leaky", "one two")).toBeUndefined();
});

test("keywords, texts and comments have colors, and code in code has its own", () => {
  const kinds = (text: string, syntax: string) =>
    new Map(highlight(text, syntax, allow(10_000))!.map(({ text, kind }) => [text.trim(), kind]));
  const script = kinds("<script>const a = 'b'; // c\n</script>", "html");
  expect([script.get("const"), script.get("'b'"), script.get("// c")]).toEqual(["k", "s", "c"]);
  expect(kinds("return f(1)", "ts").get("return")).toBe("k");
  expect(highlight("a", "no such language", allow(10_000))).toBeUndefined();
});
