import type { CodeToken } from "../scope.js";

export type Line = CodeToken[];

/** The lines of highlighted code; a piece that goes over lines is one in each of them. */
export function tokenLines(tokens: CodeToken[]): Line[] {
  const lines: Line[] = [[]];
  for (const { text, ...rest } of tokens)
    text.split("\n").forEach((part, index) => {
      if (index > 0) lines.push([]);
      if (part !== "") lines.at(-1)!.push({ text: part, ...rest });
    });
  return lines;
}

/** The lines of code without colors. */
export const plainLines = (text: string): Line[] => text.split("\n").map((line) => [{ text: line }]);
