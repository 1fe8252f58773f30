import { readUrl } from "@octavo/shared/read-url";

const SOURCE = /<iframe\b[^>]{0,2048}?\ssrc\s{0,8}=\s{0,8}(?:"([^"]{1,2048})"|'([^']{1,2048})')/i;
const SIZE = (name: string) =>
  new RegExp(`<iframe\\b[^>]{0,2048}?\\s${name}\\s{0,8}=\\s{0,8}["']?(\\d{1,4})["'\\s>]`, "i");
const WIDTH = SIZE("width");
const HEIGHT = SIZE("height");

/**
 * The frame in HTML of somebody else, written anew: its address over https and its size are all that is taken from there.
 * Undefined where there is none; scripts, and whatever else stands there, are left out.
 */
export function frameIn(html: string): string | undefined {
  const [, double, single] = SOURCE.exec(html) ?? [];
  const named = (double ?? single ?? "").replaceAll("&amp;", "&");
  const source = readUrl(named);
  if (source?.protocol !== "https:") return undefined;
  const size = (pattern: RegExp, name: string) => {
    const value = pattern.exec(html)?.[1];
    return value === undefined ? "" : ` ${name}="${Number(value)}"`;
  };
  const address = source.href.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<iframe src="${address}"${size(WIDTH, "width")}${size(HEIGHT, "height")} ${RULES}></iframe>`;
}

const RULES = [
  'sandbox="allow-scripts allow-same-origin allow-popups allow-forms allow-presentation"',
  'allow="fullscreen; picture-in-picture; encrypted-media"',
  'referrerpolicy="strict-origin-when-cross-origin" loading="lazy"',
].join(" ");
