import { EgressError, type EgressResponse } from "@octavo/shared/egress/client";
import { readUrl } from "@octavo/shared/read-url";
import { z } from "zod";
import type { Ctx } from "../../trpc.js";
import { frameIn } from "./frame.js";
import { type Head, readHead } from "./head.js";
import type { Embed } from "./schema.js";

/** Bytes of a page that are read at most: what is looked for stands at its head. */
const MOST_BYTES = 512 * 1024;
/** Bytes of a response to oEmbed. */
const MOST_OEMBED = 64 * 1024;
/** Of a page, and of what it names. */
const TIMEOUT_MS = 8_000;
/** Characters of a title, or of the name of a site. */
const LONGEST = 256;
/** A page that is larger is not even begun. */
const LARGEST_PAGE = 64 * 1024 * 1024;

/**
 * Reads how what lies at an address can be shown: by OpenGraph and the title of the page, in a frame where it names an
 * oEmbed document with one. A link with the address for its title where nothing can be had.
 */
export async function readEmbed(ctx: Ctx, url: string): Promise<Embed> {
  const page = await unlessAway(() => headAt(ctx, url));
  if (!page) return plain(url);
  const { head, base } = page;
  const named = addressIn(head.oembed, base);
  const offer = named === undefined ? undefined : await unlessAway(() => offerAt(ctx, named));
  const about = {
    title: short(offer?.title ?? head.title) ?? plain(url).title,
    site: short(offer?.provider_name ?? head.site) ?? new URL(base).hostname,
    icon: addressIn(head.icon, base),
  };
  const html = offer?.html === undefined ? undefined : frameIn(offer.html);
  return html === undefined ? { ...about, type: "link" } : { ...about, type: "rich", html };
}

function plain(url: string): Embed {
  const { hostname, host, pathname } = new URL(url);
  return { type: "link", title: short(host + pathname.replace(/\/$/, ""))!, site: hostname };
}

/** What an address says; undefined where it cannot be had, or says it in a way that nobody understands. */
async function unlessAway<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof EgressError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

async function headAt(
  { egress, signal }: Ctx,
  url: string,
): Promise<{ head: Head; base: string } | undefined> {
  const headers = { accept: "text/html" };
  const response = await egress.fetch(url, {
    headers,
    timeoutMs: TIMEOUT_MS,
    maxBytes: LARGEST_PAGE,
    maxRedirects: 5,
    signal,
  });
  const type = response.headers["content-type"] ?? "";
  if (response.status === 200 && /html/i.test(type))
    return { head: readHead(await beginningOf(response)), base: response.url };
  response.close();
  return undefined;
}

/** The first bytes of a page, or all of its head. */
async function beginningOf(response: EgressResponse): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MOST_BYTES || chunk.includes("</head")) break;
  }
  response.close();
  return Buffer.concat(chunks).subarray(0, MOST_BYTES).toString("utf8");
}

/** As far as it is used. Source: oEmbed 1.0, 2.3.4. */
const Offer = z.object({
  title: z.string().optional(),
  provider_name: z.string().optional(),
  html: z.string().max(MOST_OEMBED).optional(),
});

async function offerAt({ egress, signal }: Ctx, url: string): Promise<z.output<typeof Offer>> {
  const response = await egress.fetch(url, {
    timeoutMs: TIMEOUT_MS,
    maxBytes: MOST_OEMBED,
    maxRedirects: 2,
    signal,
  });
  if (response.status === 200) return Offer.parse(await response.json());
  response.close();
  throw new EgressError("egress_failed", `${response.status} from the address`);
}

/** What a page names by an address of its own, if that is one of the web. */
function addressIn(address: string | undefined, base: string): string | undefined {
  const url = address === undefined ? undefined : readUrl(address, base);
  return url && /^https?:$/.test(url.protocol) && url.href.length <= 2048 ? url.href : undefined;
}

const short = (text: string | undefined): string | undefined =>
  text === undefined || text.length <= LONGEST ? text || undefined : `${text.slice(0, LONGEST - 1)}…`;
