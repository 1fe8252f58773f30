import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";

const FOLDER = new URL("../assets/", import.meta.url);
const TYPES: Record<string, string> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/** A file that pages load: its name holds its hash, so that it never changes. */
export interface Asset {
  type: string;
  body: Buffer;
  brotli: Buffer;
}

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
  for (const name of readdirSync(FOLDER)) {
    const body = readFileSync(new URL(name, FOLDER));
    const [stem, kind = ""] = name.split(".");
    const hash = createHash("sha256").update(body).digest("base64url").slice(0, 10);
    const hashed = `${stem}.${hash}.${kind}`;
    urls.set(name, `~octavo/assets/${hashed}`);
    assets.set(hashed, {
      type: TYPES[kind] ?? "application/octet-stream",
      body,
      brotli: brotliCompressSync(body),
    });
  }
  const below = (base: string): Assets => ({
    url: (name) => base + urls.get(name)!,
    find: (name) => assets.get(name),
    below,
  });
  return below("/");
}
