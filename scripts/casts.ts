/** A cast by way of a type that fits everything: behind it the compiler knows nothing of what is really there. */
const DOUBLE_CAST = /\bas\s+(?:unknown|any|never)\s+as\s/g;
const COMMENT = /^\s*(?:\/\/|\/?\*)/;
/** Where a library leaves no other way, a comment says why, so many lines above the cast at most. */
const REASON = /^\s*\/\/ Cast: \S/;
const NEAR = 4;

/** Lists the double casts of a source that no comment gives a reason for, by file and line. */
export function castProblems(file: string, source: string): string[] {
  const lines = source.split("\n");
  return [...source.matchAll(DOUBLE_CAST)].flatMap(({ index }) => {
    const at = source.slice(0, index).split("\n").length - 1;
    const isExplained = lines.slice(Math.max(0, at - NEAR), at).some((line) => REASON.test(line));
    if (isExplained || COMMENT.test(lines[at]!)) return [];
    return [
      `${file}:${at + 1} casts twice: type what comes in, or say above it why there is no way: // Cast: …`,
    ];
  });
}
