import { createRequire } from "node:module";
import type { Emitter, HLJSApi, LanguageFn } from "highlight.js";
import hljs from "highlight.js/lib/core";
import type { CodeToken } from "../scope.js";
import { kindOf } from "./kinds.js";

// Grammars are loaded when somebody has written code in their language: all of them would take more memory than everything
// else that draws documents.

/** The languages that documentation is written about, with the names that their grammars have for them. */
export const LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  arduino: ["ino"],
  bash: ["sh", "zsh"],
  c: ["h"],
  clojure: ["clj", "edn"],
  cmake: ["cmake.in"],
  cpp: ["cc", "c++", "h++", "hpp", "hh", "hxx", "cxx"],
  csharp: ["cs", "c#"],
  css: [],
  dart: [],
  diff: ["patch"],
  dockerfile: ["docker"],
  elixir: ["ex", "exs"],
  erlang: ["erl"],
  go: ["golang"],
  graphql: ["gql"],
  groovy: [],
  haskell: ["hs"],
  http: ["https"],
  ini: ["toml"],
  java: ["jsp"],
  javascript: ["js", "jsx", "mjs", "cjs"],
  json: ["jsonc", "json5"],
  julia: [],
  kotlin: ["kt", "kts"],
  latex: ["tex"],
  less: [],
  lua: ["pluto"],
  makefile: ["mk", "mak", "make"],
  markdown: ["md", "mkdown", "mkd"],
  nginx: ["nginxconf"],
  nix: ["nixos"],
  objectivec: ["mm", "objc", "obj-c", "obj-c++", "objective-c++"],
  perl: ["pl", "pm"],
  pgsql: ["postgres", "postgresql"],
  php: [],
  "php-template": [],
  plaintext: ["text", "txt"],
  powershell: ["pwsh", "ps", "ps1"],
  properties: [],
  protobuf: ["proto"],
  python: ["py", "gyp", "ipython"],
  "python-repl": ["pycon"],
  r: [],
  ruby: ["rb", "gemspec", "podspec", "thor", "irb"],
  rust: ["rs"],
  scala: [],
  scss: [],
  shell: ["console", "shellsession"],
  sql: [],
  swift: [],
  typescript: ["ts", "tsx", "mts", "cts"],
  vbnet: ["vb"],
  wasm: [],
  xml: ["html", "xhtml", "rss", "atom", "xjb", "xsd", "xsl", "plist", "wsf", "svg"],
  yaml: ["yml"],
};
/** Names that authors write besides. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  bash: ["shell-session", "terminal", "env", "dotenv"],
  javascript: ["node"],
  typescript: ["deno"],
  xml: ["vue", "svelte", "astro"],
};
/** The languages that code of another one may hold. */
const HELD: Readonly<Record<string, readonly string[]>> = {
  dart: ["markdown"],
  dockerfile: ["bash"],
  http: ["json", "xml"],
  javascript: ["xml", "css", "graphql"],
  markdown: ["xml"],
  nix: ["markdown"],
  pgsql: ["python", "perl"],
  "php-template": ["xml", "php"],
  "python-repl": ["python"],
  shell: ["bash"],
  typescript: ["xml", "css", "graphql"],
  xml: ["css", "javascript"],
  yaml: ["ruby"],
};

const byName = new Map(
  Object.entries(LANGUAGES).flatMap(([language, names]) =>
    [language, ...names, ...(OTHER_NAMES[language] ?? [])].map((name) => [name, language] as const),
  ),
);

/** The language that authors call so; undefined when it is not known. */
export const languageNamed = (name: string): string | undefined => byName.get(name.toLowerCase());

const require = createRequire(import.meta.url);
const loaded = new Map<string, HLJSApi>();

/** Whether the grammar of a language is there. */
export const isLoaded = (language: string): boolean => loaded.has(language);

/**
 * Finds the pieces of code in a language; the grammar was loaded by `load`. Undefined when it has no use for it, or fails: a
 * grammar that fails within another one says nothing, and leaves out what it had not read.
 */
export function piecesIn(language: string, text: string): CodeToken[] | undefined {
  const { _emitter: emitter, errorRaised } = load(language).highlight(text, {
    language,
    ignoreIllegals: true,
  });
  if (errorRaised || !(emitter instanceof Pieces)) return undefined;
  return emitter.tokens.map((token) => token.text).join("") === text ? emitter.tokens : undefined;
}

/** Loads and compiles a grammar, and those of the languages that it may hold. Each stands for itself: no code looks different after other code. */
export function load(language: string): HLJSApi {
  const known = loaded.get(language);
  if (known) return known;
  const instance = hljs.newInstance();
  const names = new Set([language]);
  for (const name of names) {
    instance.registerLanguage(name, require(`highlight.js/lib/languages/${name}`) as LanguageFn);
    for (const held of HELD[name] ?? []) names.add(held);
  }
  instance.configure({ __emitter: Pieces });
  // Also those that it may hold: one that is compiled within a deadline may stay half compiled.
  for (const name of names) instance.highlight("", { language: name });
  loaded.set(language, instance);
  return instance;
}

/** Collects pieces of code as the highlighter finds them; the innermost name that has a color gives it. */
class Pieces implements Emitter {
  readonly tokens: CodeToken[] = [];
  readonly #kinds = [""];

  addText(text: string): void {
    if (text === "") return;
    const kind = this.#kinds.at(-1)!;
    const last = this.tokens.at(-1);
    if (last && (last.kind ?? "") === kind) last.text += text;
    else this.tokens.push({ text, ...(kind && { kind }) });
  }

  openNode(name: string): void {
    this.#kinds.push(kindOf(name, this.#kinds.at(-1)!));
  }

  closeNode(): void {
    this.#kinds.pop();
  }

  startScope(name: string): void {
    this.openNode(name);
  }

  endScope(): void {
    this.closeNode();
  }

  __addSublanguage(other: Emitter): void {
    if (!(other instanceof Pieces)) return;
    const around = this.#kinds.at(-1)!;
    for (const { text, kind } of other.tokens) {
      this.#kinds.push(kind ?? around);
      this.addText(text);
      this.#kinds.pop();
    }
  }

  finalize(): void {}

  toHTML(): string {
    return "";
  }
}
