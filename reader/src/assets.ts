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
}

/** Reads all files that pages load, once; `base` is the path of all sites, with a slash at its end. */
export function readAssets(base: string): Assets {
  const urls = new Map<string, string>();
  const assets = new Map<string, Asset>();
  for (const name of readdirSync(FOLDER)) {
    const body = readFileSync(new URL(name, FOLDER));
    const [stem, kind = ""] = name.split(".");
    const hash = createHash("sha256").update(body).digest("base64url").slice(0, 10);
    const hashed = `${stem}.${hash}.${kind}`;
    urls.set(name, `${base}~octavo/assets/${hashed}`);
    assets.set(hashed, {
      type: TYPES[kind] ?? "application/octet-stream",
      body,
      brotli: brotliCompressSync(body),
    });
  }
  return { url: (name) => urls.get(name)!, find: (name) => assets.get(name) };
}
