import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import type { Site } from "./site.js";

/** Links and images in markdown and in its tags, by other means than Octavo's: a mistake in one shows. */
const LINKS = /\]\((<[^>]*>|[^)\s]+)(?:\s+"[^"]*")?\)|\b(?:href|src|url)="([^"]+)"/g;
/** Code, images that say nothing, what stands for an operation elsewhere, and the words of links that are blocks. */
const LEFT_OUT = [
  /```.*?```|`[^`\n]*`/gs,
  /<img [^>]*alt=""[^>]*>/g,
  /(?<=\{% openapi-operation [^%]*%\}).*?(?=\{% endopenapi-operation)/gs,
  /(?<=\{% content-ref [^%]*%\}).*?(?=\{% endcontent-ref)/gs,
];

/** What the source of a page leads to that is neither a page of the site nor a file beside it. */
export function lostIn(site: Site, file: string): string[] {
  const { folder } = site;
  if (folder === undefined) return [];
  const files = filesOf(site);
  const source = readFileSync(join(folder, file), "utf8");
  const text = LEFT_OUT.reduce((left, one) => left.replace(one, ""), source);
  return [...text.matchAll(LINKS)].flatMap(([, link, attribute]) => {
    const to = (link ?? attribute!).replace(/^<(.*)>$/, "$1");
    if (/^(?:#|\/\/|(?:https?|mailto|tel):)/i.test(to)) return [];
    // Browsers open no others.
    if (/^[a-z][a-z\d+.-]*:/i.test(to)) return [to];
    const path = decoded(to.split(/[#?]/, 1)[0]!).replaceAll(/\\([\W_])/g, "$1");
    const at = normalize(path.startsWith("/") ? path.slice(1) : join(dirname(file), path)).replace(/\/$/, "");
    const isPage = [at, `${at}.md`, join(at, "README.md")].some((one) => files.has(one));
    const isFile = !at.endsWith(".md") && existsSync(join(folder, at)) && statSync(join(folder, at)).isFile();
    return isPage || isFile ? [] : [to];
  });
}

const known = new WeakMap<Site, Set<string>>();

/** The files of the pages of a site. */
function filesOf(site: Site): Set<string> {
  const files = known.get(site) ?? new Set(site.pages.flatMap(({ file }) => file ?? []));
  known.set(site, files);
  return files;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
