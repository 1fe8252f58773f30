import { entityAt } from "@octavo/markdown/text/entities";

/** What the head of a page says about it. */
export interface Head {
  title?: string;
  site?: string;
  icon?: string;
  /** The address of an oEmbed document in JSON. */
  oembed?: string;
}

/** Characters of a tag that are looked at. */
const LONGEST_TAG = 4_096;
const TAG = /^<(meta|link|title)[\s/>]/i;
const ATTRIBUTE = /([a-z][a-z0-9:_-]{0,63})\s{0,8}=\s{0,8}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;

/**
 * Reads the tags that describe a page; each is looked at once, so it costs the length of the text. The first that
 * says something counts.
 */
export function readHead(html: string): Head {
  const head: Head & { plain?: string } = {};
  for (let at = html.indexOf("<"); at >= 0; at = html.indexOf("<", at + 1)) {
    const kind = TAG.exec(html.slice(at, at + 7))?.[1]?.toLowerCase();
    if (kind === undefined) continue;
    const end = html.indexOf(">", at);
    if (end < 0) break;
    if (kind === "title") head.plain ??= wordsOf(html.slice(end + 1, html.indexOf("<", end)));
    else note(head, kind, attributesOf(html.slice(at, Math.min(end, at + LONGEST_TAG))));
    at = end;
  }
  const { plain, ...declared } = head;
  return { ...declared, title: declared.title ?? plain };
}

function note(head: Head, kind: string, of: Map<string, string>) {
  const value = of.get(kind === "meta" ? "content" : "href");
  if (!value) return;
  const names = (of.get(kind === "meta" ? "property" : "rel") ?? of.get("name") ?? "").toLowerCase();
  if (names === "og:title") head.title ??= wordsOf(value);
  else if (names === "og:site_name") head.site ??= wordsOf(value);
  else if (kind !== "link") return;
  else if (names.split(/\s+/).includes("icon")) head.icon ??= value;
  else if (names === "alternate" && of.get("type")?.toLowerCase() === "application/json+oembed")
    head.oembed ??= value;
}

function attributesOf(tag: string): Map<string, string> {
  const found = tag.matchAll(ATTRIBUTE);
  return new Map(
    [...found].map(([, name, double, single, bare]) => [
      name!.toLowerCase(),
      decoded(double ?? single ?? bare ?? ""),
    ]),
  );
}

const decoded = (text: string): string =>
  text.replaceAll(/&[#a-z0-9]{1,32};/gi, (reference) => entityAt(reference, 0)?.value ?? reference);

/** The words of a text in one line. */
const wordsOf = (text: string): string | undefined =>
  decoded(text.slice(0, LONGEST_TAG))
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim() || undefined;
