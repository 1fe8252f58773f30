import { type Line, readLines } from "../blocks/lines.js";
import { decodePercent, destinationAt, isAbsoluteUrl, unescapeText } from "../text/destination.js";
import { syntaxOf } from "../text/inline.js";

/** A relative link of a page. `start`..`end` is where `raw` stands in the markdown. */
export interface RelativeLink {
  kind: "link" | "image" | "file" | "include";
  raw: string;
  /** Decoded path without query and anchor, as written relative to the page's file. */
  path: string;
  start: number;
  end: number;
}

/** An address in a page, whatever it leads to. `start`..`end` is where `raw` stands in the markdown. */
export interface Address {
  kind: RelativeLink["kind"] | "openapi";
  raw: string;
  start: number;
  end: number;
}

type Found = Pick<Address, "kind" | "start" | "end">;

/** Relative links, images, files and includes outside code, in order. Linear, never throws. */
export function extractLinks(markdown: string): RelativeLink[] {
  const links: RelativeLink[] = [];
  for (const { kind, ...address } of addressesIn(markdown)) {
    const path = kind === "openapi" ? undefined : relativePath(address.raw);
    if (kind !== "openapi" && path !== undefined) links.push({ kind, ...address, path });
  }
  return links;
}

/** What no line with an address is without. */
const ANY = /\]\(|<|\{%|\]:/;

/** The addresses of links, images, files, includes and OpenAPI blocks outside code, in order. Linear, never throws. */
export function addressesIn(markdown: string, lines: Line[] = readLines(markdown)): Address[] {
  const addresses: Address[] = [];
  for (const { kind, text, at } of lines) {
    if (kind !== "text" || !ANY.test(text)) continue;
    const visible = syntaxOf(text);
    const found = [
      ...inlineLinks(text, visible),
      ...elementLinks(visible),
      ...tagLinks(visible),
      ...definition(visible),
    ];
    for (const { kind, start, end } of found.sort((one, two) => one.start - two.start)) {
      addresses.push({ kind, raw: text.slice(start, end), start: at + start, end: at + end });
    }
  }
  return addresses;
}

function relativePath(raw: string): string | undefined {
  const url = unescapeText(raw).trim();
  if (url === "" || isAbsoluteUrl(url) || url.startsWith("/")) return undefined;
  return decodePercent(/^[^?#]*/.exec(url)![0]) || undefined;
}

function inlineLinks(text: string, visible: string): Found[] {
  const found: Found[] = [];
  if (!text.includes("](")) return found;
  const open: boolean[] = [];
  const bracket = /[[\]]/g;
  for (let match = bracket.exec(visible); match; match = bracket.exec(visible)) {
    const { 0: character, index: at } = match;
    if (character === "[") open.push(visible[at - 1] === "!");
    else {
      const image = open.pop();
      const target = image !== undefined && text[at + 1] === "(" ? destinationAt(text, at + 1) : undefined;
      if (!target) continue;
      const { start, end, next } = target;
      found.push({ kind: image ? "image" : "link", start, end });
      bracket.lastIndex = next;
    }
  }
  return found;
}

const ELEMENT = /<(img|a|source|video|audio)\s[^<>]*>/gi;
const ADDRESS = /\b(?:src|srcset|href)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;

function elementLinks(text: string): Found[] {
  if (!text.includes("<")) return [];
  return [...text.matchAll(ELEMENT)].flatMap((element) =>
    [...element[0].matchAll(ADDRESS)].map((match): Found => {
      const raw = match[1] ?? match[2] ?? "";
      const end = element.index + match.index + match[0].length - 1;
      return {
        kind: element[1]!.toLowerCase() === "a" ? "link" : "image",
        start: end - raw.length,
        end,
      };
    }),
  );
}

const TAG =
  /^\{%-?[ \t]*(include|file|embed|content-ref|swagger|openapi(?:-(?:operation|schemas|webhook))?)(?=[ \t])/;
const TAG_ADDRESS = /\b(?:src|url)\s*=\s*"([^"]*)"|"([^"]*)"/;
const SPEC = /\bspec\s*=\s*"([^"]*)"()/;

const TAG_KINDS: Record<string, Found["kind"]> = { include: "include", "content-ref": "link", embed: "link" };

function tagLinks(text: string): Found[] {
  const found: Found[] = [];
  let end = 0;
  for (let at = text.indexOf("{%"); at >= 0; at = text.indexOf("{%", end)) {
    end = text.indexOf("%}", at);
    if (end < 0) break;
    const tag = text.slice(at, end);
    const name = TAG.exec(tag)?.[1];
    const specified = name?.startsWith("openapi-");
    const match = name ? (specified ? SPEC : TAG_ADDRESS).exec(tag) : null;
    if (!name || !match) continue;
    const raw = match[1] ?? match[2] ?? "";
    const last = at + match.index + match[0].length - 1;
    found.push({
      kind: specified ? "openapi" : (TAG_KINDS[name] ?? "file"),
      start: last - raw.length,
      end: last,
    });
  }
  return found;
}

function definition(text: string): Found[] {
  const match = /^ {0,3}\[[^\]^][^\]]*\]:[ \t]*<?([^\s<>]+)/.exec(text);
  if (!match) return [];
  const raw = match[1]!;
  return [{ kind: "link", start: match[0].length - raw.length, end: match[0].length }];
}
