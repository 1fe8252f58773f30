import { posix } from "node:path";
import { addressesIn } from "@octavo/markdown/links/links";
import { isAbsoluteUrl, unescapeText } from "@octavo/markdown/text/destination";
import { newId } from "@octavo/shared/ids";
import { readUrl } from "@octavo/shared/read-url";
import { yielding } from "@octavo/shared/workers/yield";
import { nameAt } from "../files/name.js";
import { receive } from "../files/receive.js";
import type { FileEntry } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { coversIn } from "./covers.js";
import { type Material, MOST_FILE_BYTES, MOST_FILES, type SourceText } from "./material/material.js";
import type { Skipped } from "./material/skipped.js";

const IMAGE = /^image\//;

/** The files that texts point to, kept, by their paths in the source; before the transaction that makes their entries. */
export async function receiveFiles(
  ctx: Ctx,
  { texts, resolve, file, nameOf }: Material,
  { skipped, signal }: { skipped: Skipped; signal: AbortSignal },
): Promise<Map<string, FileEntry>> {
  const pages = new Set(texts.map(({ path }) => path));
  const wanted = new Map<string, boolean>();
  const giveWay = yielding();
  for (const { path: from, markdown } of texts) {
    const want = (address: string, isImage: boolean) => {
      const target = resolve(from, address);
      if (!target || pages.has(target.path)) return;
      // What lies elsewhere is fetched when it is shown, and stays a link when it is linked.
      if (isImage || !/^https?:/.test(target.path)) wanted.set(target.path, isImage);
    };
    for (const cover of coversIn(markdown)) want(cover, true);
    for (const { kind, raw } of addressesIn(markdown))
      if (kind !== "openapi") want(unescapeText(raw).trim(), kind === "image");
    await giveWay();
  }
  const files = new Map<string, FileEntry>();
  const names = new Set<string>();
  let bytes = 0;
  for (const [path, isImage] of wanted) {
    signal.throwIfAborted();
    const isFull = files.size >= MOST_FILES || bytes > MOST_FILE_BYTES;
    const content = isFull ? undefined : await file(path);
    if (!content) {
      skipped.add(isFull ? "limit" : "unreachable", path);
      continue;
    }
    bytes += content.length;
    const name = freeName(nameAt(nameOf?.(path) ?? nameIn(path)).slice(0, 200), names);
    const { hash, props } = await receive(ctx, content, { name });
    // What is not an image would be shown as a broken one.
    if (isImage && !IMAGE.test(props.contentType)) {
      skipped.add("unreadable", path);
      continue;
    }
    names.add(name);
    files.set(path, {
      id: newId(),
      kind: "file",
      parent: null,
      position: "",
      slug: null,
      title: name,
      body: hash,
      git_path: null,
      git_oid: null,
      props,
      created_at: ctx.clock().toISOString(),
      updated_at: null,
    });
  }
  return files;
}

function nameIn(path: string): string {
  const url = readUrl(path);
  return url ? decodeSafely(url.pathname) : path;
}

function decodeSafely(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** `a.png`, then `a-1.png`… */
export function freeName(name: string, taken: { has(name: string): boolean }): string {
  const { name: stem, ext } = posix.parse(name);
  let free = name;
  for (let number = 1; taken.has(free); number += 1) free = `${stem}-${number}${ext}`;
  return free;
}

/** A text with other addresses, where `move` knows one. */
export function withAddresses(
  { path, markdown }: SourceText,
  move: (target: { path: string; anchor?: string }) => string | undefined,
  resolve: Material["resolve"],
): string {
  let out = "";
  let at = 0;
  for (const { kind, raw, start, end } of addressesIn(markdown)) {
    const target = kind === "openapi" || start < at ? undefined : resolve(path, unescapeText(raw).trim());
    const address = target && move(target);
    // What lies elsewhere stays as it is written, unless that was relative to where the text lay.
    if (address === undefined || (isAbsoluteUrl(raw) && isAbsoluteUrl(address))) continue;
    out += markdown.slice(at, start) + address;
    at = end;
  }
  return out + markdown.slice(at);
}
