import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { brotliCompressSync } from "node:zlib";
import type { Asset } from "./asset.js";
import { findFont } from "./font-files.js";
import { iconsImage } from "./icons.js";
import { joinedName, joinedSheets } from "./joined-sheets.js";

/** What the build has made of the folders `assets`: that of the reader, and that of documents wherever they are drawn. */
const FOLDER = new URL("../../dist/browser/", import.meta.url);
const OF_DOCUMENTS = ["operations.css", "try.js"];
const TYPES: Record<string, string> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  html: "text/html; charset=utf-8",
};

export interface Assets {
  /** The path of a file of the folder. */
  url(name: string): string;
  /** The path of style sheets as one: fewer requests before anything is seen. Those of `SHEETS` in their order, then of fonts. */
  styles(names: string[]): string;
  /** The file behind a path's last part; undefined for others. */
  find(name: string): Asset | undefined;
  /** The same files below another path, which ends with a slash. */
  below(base: string): Assets;
}

/** The path of one of the files, wherever they are below. */
export const ASSET = /\/~octavo\/assets\/([^/]+)$/;

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

  const { resolve } = createRequire(import.meta.url);
  // Megabytes, which are compressed when somebody asks for them first.
  addLarge("mermaid.js", resolve("@mermaid-js/tiny"));
  add("icons.svg", Buffer.from(iconsImage()));
  for (const name of OF_DOCUMENTS) add(name, readFileSync(resolve(`@octavo/html/assets/${name}`)));
  // Last those that name others.
  const namesOthers = (name: string) => /\.(?:css|html)$/.test(name);
  for (const name of readdirSync(FOLDER).toSorted(
    (a, b) => Number(namesOthers(a)) - Number(namesOthers(b)),
  )) {
    const file = readFileSync(new URL(name, FOLDER));
    const fileOf = (_: string, other: string) => urls.get(other)?.split("/").at(-1) ?? "";
    add(name, namesOthers(name) ? Buffer.from(`${file}`.replace(/\{\{([\w.]+)\}\}/g, fileOf)) : file);
  }
  const findJoined = joinedSheets((name) => assets.get(name) ?? findFont(name));

  const stemOf = (name: string) => (urls.get(name)?.split("/").at(-1) ?? name).replace(/\.css$/, "");
  const below = (base: string): Assets => ({
    url: (name) => base + (urls.get(name) ?? `~octavo/assets/${name}`),
    styles: (names) => `${base}~octavo/assets/${joinedName(names.map(stemOf))}`,
    find: (name) => assets.get(name) ?? findJoined(name) ?? findFont(name),
    below,
  });
  return below("/");
}
