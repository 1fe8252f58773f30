import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { brotliCompressSync } from "node:zlib";
import { LRUCache } from "lru-cache";
import type { Asset } from "./asset.js";
import { findFont } from "./font-files.js";

const FOLDER = new URL("../../assets/", import.meta.url);
/** What documents need wherever they are drawn. */
const OF_DOCUMENTS = ["document.css", "try.js"];
const TYPES: Record<string, string> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  html: "text/html; charset=utf-8",
};
/** Files that come as one: each is a request less. */
const TOGETHER: Record<string, string[]> = {
  "site.js": ["site.js", "search.js", "feedback.js", "tree.js"],
  "site.css": ["document.css", "site.css"],
};
/** Style sheets with fonts that are kept: a site has one of them. */
const MOST_TOGETHER = 50;

export interface Assets {
  /** The path of a file of the folder. */
  url(name: string): string;
  /** The path of the style sheet of pages, with those of fonts in it: a request less before anything is seen. */
  styles(fonts: string | undefined): string;
  /** The file behind a path's last part; undefined for others. */
  find(name: string): Asset | undefined;
  /** The same files below another path, which ends with a slash. */
  below(base: string): Assets;
}

/** The path of one of the files, wherever they are below. */
export const ASSET = /\/~octavo\/assets\/([^/]+)$/;

/** A script of ours, without comments that have lines of their own. */
const withoutComments = (script: string): string =>
  script.replace(/^[ \t]*(?:\/\/[^\n]*|\/\*\*(?:(?!\*\/).)*\*\/)\n/gms, "");

/** A style sheet of ours, none of whose strings holds a sign of its syntax, without comments and space between rules. */
const withoutSpace = (css: string): string =>
  css
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,]) ?/g, "$1");

/** Reads all files that pages load, once. */
export function readAssets(): Assets {
  const urls = new Map<string, string>();
  const assets = new Map<string, Asset>();

  /** Gives a file its address, which holds the hash of its content. */
  function register(name: string, body: Buffer): { hashed: string; type: string } {
    const [stem, kind = ""] = name.split(".");
    const hash = createHash("sha256").update(body).digest("base64url").slice(0, 10);
    const hashed = `${stem}.${hash}.${kind}`;
    urls.set(name, `~octavo/assets/${hashed}`);
    return { hashed, type: TYPES[kind] ?? "application/octet-stream" };
  }

  function add(name: string, body: Buffer): void {
    const { hashed, type } = register(name, body);
    assets.set(hashed, { type, length: body.length, body, brotli: brotliCompressSync(body) });
  }

  /** Adds a file that is read when somebody asks for it first, and kept as it is compressed then. */
  function addLarge(name: string, path: string): void {
    const body = readFileSync(path);
    const { hashed, type } = register(name, body);
    const asset: Asset = {
      type,
      length: body.length,
      get body() {
        return asset.brotli ? undefined : readFileSync(path);
      },
    };
    assets.set(hashed, asset);
  }

  const joined = new Set(Object.values(TOGETHER).flat());
  const { resolve } = createRequire(import.meta.url);
  function read(name: string): Buffer {
    const path = OF_DOCUMENTS.includes(name) ? resolve(`@octavo/html/assets/${name}`) : new URL(name, FOLDER);
    const file = readFileSync(path);
    return name.endsWith(".js") ? Buffer.from(withoutComments(file.toString())) : file;
  }
  // Megabytes, which are compressed when somebody asks for them first.
  addLarge("mermaid.js", resolve("@mermaid-js/tiny"));
  // Scripts in a block each: they share no names.
  const part = (name: string) =>
    name.endsWith(".js") ? `{\n${read(name)}}\n` : withoutSpace(`${read(name)}`);
  for (const [name, parts] of Object.entries(TOGETHER)) add(name, Buffer.from(parts.map(part).join("")));
  const names = [...readdirSync(FOLDER), ...OF_DOCUMENTS].filter((name) => !joined.has(name));
  for (const name of names.filter((name) => !name.endsWith(".html"))) add(name, read(name));
  // Documents of our own name other files, which lie beside them.
  for (const name of names.filter((name) => name.endsWith(".html"))) {
    const urlOf = (_: string, file: string) => urls.get(file)?.split("/").at(-1) ?? "";
    add(
      name,
      Buffer.from(
        read(name)
          .toString()
          .replace(/\{\{([\w.]+)\}\}/g, urlOf),
      ),
    );
  }
  const [site = "", own = ""] = /([^/]+)\.css$/.exec(urls.get("site.css")!) ?? [];
  const bodyOf = (hashed: string) => assets.get(hashed)!.body!;
  const together = new LRUCache<string, Asset>({ max: MOST_TOGETHER });

  /** The style sheet of pages and that of fonts as one. */
  function sheetOf(name: string): Asset | undefined {
    const known = together.get(name);
    if (known || !name.endsWith(`.${site}`)) return known;
    const fonts = findFont(`${name.slice(0, -site.length - 1)}.css`);
    if (!fonts) return undefined;
    const body = Buffer.concat([bodyOf(site), fonts.body!]);
    const made = { type: fonts.type, length: body.length, body };
    together.set(name, made);
    return made;
  }

  const below = (base: string): Assets => ({
    url: (name) => base + (urls.get(name) ?? `~octavo/assets/${name}`),
    styles: (fonts) => `${base}~octavo/assets/${fonts ? `${fonts.replace(/\.css$/, "")}.` : ""}${own}.css`,
    find: (name) => assets.get(name) ?? sheetOf(name) ?? findFont(name),
    below,
  });
  return below("/");
}
