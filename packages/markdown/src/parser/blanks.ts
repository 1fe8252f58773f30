// By hand or run by run: an expression that looks for blanks before an end begins anew at each of them.

/** Lines as one: blanks that hold a line break are one blank. */
export const joinedLines = (text: string): string =>
  text.replace(/\s+/g, (run) => (/[\r\n]/.test(run) ? " " : run));

/**
 * Returns lines of source as one: blanks that hold a line break are one blank; characters other than blanks, tabs and
 * line feeds stay.
 */
export const joinedSource = (text: string): string =>
  text.replace(/[ \t\n]+/g, (run) => (run.includes("\n") ? " " : run));

/** Where what ends a text begins, when it consists of such characters. */
export function endOf(text: string, isBlank: (character: string) => boolean, from = 0): number {
  let end = text.length;
  while (end > from && isBlank(text[end - 1]!)) end -= 1;
  return end;
}

/** Source without the blanks and line breaks around it. */
export function trimmedSource(text: string): string {
  const isBlank = (character: string) => " \t\n".includes(character);
  let start = 0;
  while (start < text.length && isBlank(text[start]!)) start += 1;
  return text.slice(start, endOf(text, isBlank, start));
}
