import { refuse } from "@octavo/shared/errors";
import { readUrl } from "@octavo/shared/read-url";
import type { Ctx } from "../trpc.js";
import { archived } from "./archived.js";
import { type Download, download } from "./download.js";
import { openArchive, openParts } from "./material/archive.js";
import { LARGEST_FILE, type Material, type SourceText } from "./material/material.js";
import { relativeTo } from "./material/relative.js";
import type { Skipped } from "./material/skipped.js";
import type { Source } from "./material/sources.js";
import { decoded, exporterOf, readPage, unreadableText } from "./material/texts.js";
import { isRepository, openRepository } from "./repository.js";
import { uploaded } from "./uploaded.js";
import { website } from "./website.js";

/** Bytes of a document of a word processor, unpacked. */
const LARGEST_DOCX = 100 * 1024 * 1024;
const MOST_IMAGES = 200;

interface Wanted {
  url: string;
  source: Source;
  skipped: Skipped;
  signal: AbortSignal;
}

/** Fetches what a caller wants imported, and reads its texts. 400 for what is not what the source says. */
export async function collect(ctx: Ctx, { url, source, skipped, signal }: Wanted): Promise<Material> {
  if (source === "website") return website(ctx, url, { skipped, signal });
  if (isRepository(url)) {
    const { archive, close } = await openRepository(ctx, url, { skipped, signal });
    try {
      const from = source === "github-wiki" ? source : "zip";
      return { ...(await archived(archive, { source: from, work: ctx.work, skipped })), close };
    } catch (error) {
      await close();
      throw error;
    }
  }
  const found = (await uploaded(ctx, url)) ?? (await download(ctx, url, signal));
  const isArchive = found.content.subarray(0, 4).equals(Buffer.from("PK\u0003\u0004"));
  if (!isArchive) {
    if (source === "docx" || source === "zip")
      refuse("BAD_REQUEST", `body.url: there is no ${source} at the address`, {
        reason: "unreadable_archive",
      });
    return single(await textIn(ctx, found, source), ctx, found, signal);
  }
  if (source === "markdown" || source === "html") unreadableText("an archive");
  const whole = await openArchive(found.content, skipped);
  const archive = source === "notion" ? await openParts(whole, skipped) : whole;
  const isDocx = archive.paths.includes("word/document.xml");
  if (source === "docx" && !isDocx)
    refuse("BAD_REQUEST", "body.url: there is no docx at the address", { reason: "unreadable_archive" });
  if (!isDocx) return archived(archive, { source, work: ctx.work, skipped });
  // Read once as a whole: the reader of documents would unpack anything.
  let bytes = 0;
  for (const path of archive.paths) {
    const content = await archive.read(path, LARGEST_DOCX - bytes);
    if (!content) refuse("BAD_REQUEST", "body.url: the document is too large", { reason: "too_large" });
    else bytes += content.length;
  }
  return document(ctx, found);
}

/** One text of markdown or HTML, as the source or the type of the content says. */
async function textIn(ctx: Ctx, found: Download, source: Source): Promise<SourceText> {
  const text = decoded(found.content) ?? unreadableText("what lies at the address");
  const path = stemOf(found);
  const isHtml =
    source === "html" ||
    (source !== "markdown" && (/html/.test(found.contentType) || /^\s*<(!doctype|html)/i.test(text)));
  if (!isHtml) return { path: `${path}.md`, markdown: text };
  const page = await readPage({ path: `${path}.html`, html: text, work: ctx.work, from: exporterOf(source) });
  return page ?? unreadableText("the document");
}

/** The name of what was fetched, without its extension. */
function stemOf({ name: whole }: Download): string {
  const name = whole.replace(/\.\w+$/, "");
  return (decodeURIComponent(name.replace(/%(?![0-9a-f]{2})/gi, "%25")) || "page").replace(/[/\\]/g, "-");
}

/** One text, whose images lie around it on the web. */
function single(text: SourceText, ctx: Ctx, { url }: Download, signal: AbortSignal): Material {
  return {
    texts: [text],
    resolve: (_, written) => {
      const address = written.startsWith("#") ? undefined : readUrl(written, url);
      if (!address) return undefined;
      const anchor = address.hash.slice(1);
      address.hash = "";
      return /^https?:$/.test(address.protocol)
        ? { path: address.href, ...(anchor && { anchor }) }
        : undefined;
    },
    file: async (path) => {
      try {
        const response = await ctx.egress.fetch(path, { maxBytes: LARGEST_FILE, timeoutMs: 10_000, signal });
        if (response.status === 200) return await response.bytes();
        response.close();
      } catch {
        signal.throwIfAborted();
      }
      return undefined;
    },
  };
}

/** A document of a word processor, with its images. */
async function document({ work }: Ctx, found: Download): Promise<Material> {
  const read = await work
    .run("readDocx", { base64: found.content.toString("base64"), most: MOST_IMAGES })
    .catch((error: unknown) => {
      if (error instanceof Error && error.name === "Refusal") throw error;
      return unreadableText("the document");
    });
  const page = await readPage({ path: `${stemOf(found)}.html`, html: read.html, work });
  const images = new Map(read.images.map(({ name, base64 }) => [name, base64]));
  return {
    texts: [page ?? unreadableText("the document")],
    resolve: relativeTo,
    file: async (path) => {
      const base64 = images.get(path);
      return base64 === undefined ? undefined : Buffer.from(base64, "base64");
    },
  };
}
