import { type Content, element } from "./element.js";

/** Longer runs without a blank may be broken anywhere: no line is longer than a sheet is wide. */
const LONGEST_RUN = 24;
const RUN = new RegExp(`\\S{${LONGEST_RUN + 1},}`, "u");
/** After this many characters of a long run a line may break; letters that join are not parted. */
const STEP = 4;

/**
 * Words as they are set: one blank for many, breaks where lines end, and places to break where a run of characters is long.
 */
export function words(text: string): Content {
  if (!text.includes("\n")) return run(text.replace(/[^\S\n]+/g, " "));
  return text.split("\n").flatMap((line, index): Content[] => {
    const set = run(line.replace(/\s+/g, " "));
    return index === 0 ? [set] : [element("line-break", {}), set];
  });
}

/** Code as it is set: with all of its blanks. */
export const codeWords = (text: string): Content => run(text.replaceAll("\t", "    "));

function run(text: string): Content {
  if (!RUN.test(text)) return text;
  return text.split(/(\s+)/).flatMap((part): Content[] => {
    if (part.length <= LONGEST_RUN) return part === "" ? [] : [part];
    return pieces(part).flatMap((piece, index) =>
      index === 0 ? [piece] : [element("break-here", {}), piece],
    );
  });
}

const JOINED =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thai}\p{Script=Devanagari}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{M}]|\u200d|\ufe0f/u;

/** Pieces of a long run; a run of a script whose letters join, or that has rules of its own, is one. */
function pieces(part: string): string[] {
  if (JOINED.test(part)) return [part];
  const signs = [...part];
  const found: string[] = [];
  for (let at = 0; at < signs.length; at += STEP) found.push(signs.slice(at, at + STEP).join(""));
  return found;
}

/** A text that a file of JSON can hold and that is set: no control characters, no halves of characters. */
export const sound = (text: string): string =>
  text.replace(/\p{Surrogate}/gu, "\ufffd").replace(/(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\ufffe\uffff]/gu, "");

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const LETTER = /\p{L}/u;

/** The direction of the first letter; undefined for a text without any. */
export function directionOf(text: string): "ltr" | "rtl" | undefined {
  const letter = LETTER.exec(text.slice(0, 400))?.[0];
  if (letter === undefined) return undefined;
  return RIGHT_TO_LEFT.test(letter) ? "rtl" : "ltr";
}
