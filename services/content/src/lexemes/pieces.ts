/** A section that is longer is kept in pieces: each is ranked for itself, and an excerpt is cut from a short text. */
const LONGEST = 4_000;
const BREAKS = ["\n", "。", ". ", " "];

/** Cuts a text into pieces of bounded length, at the end of a line or sentence if there is one; at least one piece. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (text.length - start > LONGEST) {
    const end = start + lengthOfPiece(text.slice(start, start + LONGEST));
    pieces.push(text.slice(start, end).trim());
    start = end;
  }
  pieces.push(text.slice(start).trim());
  return pieces;
}

function lengthOfPiece(text: string): number {
  for (const mark of BREAKS) {
    const at = text.lastIndexOf(mark);
    if (at > LONGEST / 2) return at + mark.length;
  }
  const high = (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800;
  return high ? text.length - 1 : text.length;
}
