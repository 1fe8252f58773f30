import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { brotliCompressSync } from "node:zlib";
import type { Asset } from "./asset.js";
import { findFont } from "./fonts.js";

const FOLDER = new URL("../assets/", import.meta.url);
const TYPES: Record<string, string> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  html: "text/html; charset=utf-8",
};
/** Files that come as one: each is a request less. */
const TOGETHER: Record<string, string[]> = { "site.js": ["site.js", "search.js", "feedback.js"] };
/** Larger files are compressed when somebody asks for them. */
const LARGE = 200_000;

export interface Assets {
  /** The path of a file of the folder. */
  url(name: string): string;
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

  function add(name: string, body: Buffer): void {
    const [stem, kind = ""] = name.split(".");
    const hash = createHash("sha256").update(body).digest("base64url").slice(0, 10);
    const hashed = `${stem}.${hash}.${kind}`;
    urls.set(name, `~octavo/assets/${hashed}`);
    assets.set(hashed, {
      type: TYPES[kind] ?? "application/octet-stream",
      body,
      ...(body.length < LARGE && { brotli: brotliCompressSync(body) }),
    });
  }

  const joined = new Set(Object.values(TOGETHER).flat());
  const read = (name: string) => readFileSync(new URL(name, FOLDER));
  add("mermaid.js", readFileSync(createRequire(import.meta.url).resolve("@mermaid-js/tiny")));
  // Each in a block of its own: they share no names.
  for (const [name, parts] of Object.entries(TOGETHER))
    add(name, Buffer.from(parts.map((part) => `{\n${read(part)}}\n`).join("")));
  const names = readdirSync(FOLDER).filter((name) => !joined.has(name));
  for (const name of names.filter((name) => !name.endsWith(".html"))) add(name, read(name));
  // Documents of our own name other files, which lie beside them.
  for (const name of names.filter((name) => name.endsWith(".html"))) {
    const named = (_: string, file: string) => urls.get(file)?.split("/").at(-1) ?? "";
    add(
      name,
      Buffer.from(
        read(name)
          .toString()
          .replace(/\{\{([\w.]+)\}\}/g, named),
      ),
    );
  }
  const below = (base: string): Assets => ({
    url: (name) => base + (urls.get(name) ?? `~octavo/assets/${name}`),
    find: (name) => assets.get(name) ?? findFont(name),
    below,
  });
  return below("/");
}
