import { refractor } from "refractor/core";
import { expect, test } from "vitest";
import { GRAMMARS } from "./grammars.js";
import { highlight } from "./highlight.js";
import { languageNamed, piecesIn } from "./languages.js";
import { createTimeBudget } from "./time-budget.js";

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
  for (const { displayName: language } of GRAMMARS)
    for (const code of codes) {
      const pieces = piecesIn(language, code);
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

const kinds = (text: string, syntax: string) =>
  new Map(highlight(text, syntax, createTimeBudget(10_000))!.map(({ text, kind }) => [text.trim(), kind]));

test("keywords, texts and comments have colors, and code in code has its own", () => {
  const script = kinds("<script>const a = 'b'; // c\n</script>", "html");
  expect([script.get("const"), script.get("'b'"), script.get("// c")]).toEqual(["k", "s", "c"]);
  expect(kinds("<style>a { color: red }</style>", "html").get("color")).toBe("a");
  const element = kinds("const a = <b c={f(1)}>d</b>;", "tsx");
  expect([element.get("const"), element.get("b"), element.get("c")]).toEqual(["k", "g", "a"]);
  expect([element.get("f"), element.get("1"), element.get(")}>d</")]).toEqual(["f", "n", undefined]);
  const request = kinds('POST /a HTTP/1.1\nContent-Type: application/json\n\n{"b": 1}', "http");
  expect([request.get("POST"), request.get('"b"'), request.get("1")]).toEqual(["k", "a", "n"]);
  expect(kinds("return f(1)", "ts").get("return")).toBe("k");
  expect(highlight("a", "no such language", createTimeBudget(10_000))).toBeUndefined();
});

test("what documentation shows most is colored by what it is", () => {
  for (const [syntax, text, expected] of [
    ["bash", '# a\ncurl -H "b" $C && exit 1', { "# a": "c", curl: "f", "-H": "v", '"b"': "s", $C: "v" }],
    ["json", '{"a": "b", "c": true, "d": 1}', { '"a"': "a", '"b"': "s", true: "n", 1: "n" }],
    ["yaml", "a: 'b' # c\nd: true", { a: "a", "'b'": "s", "# c": "c", true: "n" }],
    ["python", "@a\ndef b(): return 'c' # d", { "@a": "m", def: "k", b: "f", "'c'": "s", "# d": "c" }],
    ["sql", "select count(*) from a -- b", { select: "k", count: "f", from: "k", "-- b": "c" }],
    ["diff", "-a\n+b", { "-a": "d", "+b": "i" }],
    ["console", "$ npm ci", { $: "m", npm: "f" }],
    ["markdown", "# A\n\n**b** _c_", { A: "f", b: "st", c: "em" }],
  ] as const) {
    const found = kinds(text, syntax);
    for (const [piece, kind] of Object.entries(expected))
      expect(found.get(piece), `${syntax}: ${piece}`).toBe(kind);
  }
});

test("each line of a diff that was added or removed is a piece of its own, without its end", () => {
  expect(piecesIn("diff", "-a\n-b\n+c\n d")).toEqual([
    { text: "-a", kind: "d" },
    { text: "\n" },
    { text: "-b", kind: "d" },
    { text: "\n" },
    { text: "+c", kind: "i" },
    { text: "\n d" },
  ]);
});
