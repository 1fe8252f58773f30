import { refractor } from "refractor/core";
import type { CodeToken } from "../scope.js";
import { GRAMMARS } from "./grammars.js";
import { kindOf } from "./kinds.js";

// All at once, as some change others: no code looks different after other code.
for (const grammar of GRAMMARS) refractor.register(grammar);

/** Names that authors write besides those that grammars have, by the name of the grammar. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  bash: ["zsh", "terminal", "env", "dotenv"],
  batch: ["bat", "cmd"],
  c: ["h"],
  clojure: ["clj", "edn"],
  cmake: ["cmake.in"],
  cpp: ["cc", "c++", "h++", "hpp", "hh", "hxx", "cxx"],
  csharp: ["c#"],
  diff: ["patch"],
  elixir: ["ex", "exs"],
  erlang: ["erl"],
  go: ["golang"],
  graphql: ["gql"],
  hcl: ["terraform", "tf"],
  http: ["https"],
  java: ["jsp"],
  javascript: ["mjs", "cjs", "node"],
  json5: ["jsonc"],
  lua: ["pluto"],
  makefile: ["mk", "mak", "make"],
  markdown: ["mkdown", "mkd", "mdx"],
  markup: ["xhtml", "xjb", "xsd", "xsl", "plist", "wsf", "vue", "svelte", "astro"],
  nginx: ["nginxconf"],
  nix: ["nixos"],
  objectivec: ["mm", "obj-c", "obj-c++", "objective-c++"],
  perl: ["pl", "pm"],
  php: ["php-template"],
  powershell: ["pwsh", "ps", "ps1"],
  protobuf: ["proto"],
  python: ["gyp", "ipython", "python-repl", "pycon"],
  ruby: ["gemspec", "podspec", "thor", "irb"],
  rust: ["rs"],
  "shell-session": ["console"],
  sql: ["pgsql", "postgres", "postgresql", "mysql"],
  typescript: ["mts", "cts", "deno"],
  vbnet: ["vb"],
};

const byName = new Map([
  ...refractor.listLanguages().map((name) => [name, name] as const),
  ...Object.entries(OTHER_NAMES).flatMap(([language, names]) =>
    names.map((name) => [name, language] as const),
  ),
]);

/** The language that authors call so; undefined when it is not known. */
export const languageNamed = (name: string): string | undefined => byName.get(name.toLowerCase());

type Nodes = ReturnType<typeof refractor.highlight>["children"];

/** Finds the pieces of code in a language; undefined when its grammar leaves out any of the code. */
export function piecesIn(language: string, text: string): CodeToken[] | undefined {
  const pieces: CodeToken[] = [];
  collect(refractor.highlight(text, language).children, "", pieces);
  const length = pieces.reduce((sum, piece) => sum + piece.text.length, 0);
  return length === text.length ? pieces : undefined;
}

/** Lines that were added or removed, which stand out from edge to edge: each is a piece of its own, without its end. */
const LINES = new Set(["i", "d"]);

/** Adds the texts in some nodes to the pieces; the innermost node that has a color gives it. */
function collect(nodes: Nodes, around: string, pieces: CodeToken[]): void {
  for (const node of nodes) {
    if (node.type === "element") {
      collect(node.children, kindOf(node.properties.className as string[], around), pieces);
    } else if (node.type === "text") {
      const parts = LINES.has(around) ? node.value.split(/(\n)/) : [node.value];
      for (const part of parts) add(part, LINES.has(around) && part === "\n" ? "" : around, pieces);
    }
  }
}

function add(text: string, kind: string, pieces: CodeToken[]): void {
  if (text === "") return;
  const last = pieces.at(-1);
  if (last && (last.kind ?? "") === kind) last.text += text;
  else pieces.push({ text, ...(kind && { kind }) });
}
