const sentence = (at: number) =>
  `Sentence ${at} says what a reader of **chapter ${at % 41}** may want to know about [item ${(at * 31) % 997}](item.md). `;
const word = (at: number) => (at * 7919 + 46_656).toString(36);

interface Shape {
  part: (at: number) => string;
  /** Bytes whose document has almost as many values as a request may hold. */
  asDocument: number;
  /** What stands around the parts. */
  around?: [string, string];
}

/** What a long page may be made of. */
const SHAPES = {
  prose: {
    asDocument: 500_000,
    part: (at) =>
      at % 20 === 0
        ? `## Section ${at}\n\n`
        : `${sentence(at * 3)}${sentence(at * 3 + 1)}${sentence(at)}\n\n`,
  },
  "one list": { asDocument: 380_000, part: (at) => `* ${sentence(at * 2)}${sentence(at * 2 + 1)}\n` },
  "one paragraph": { asDocument: 1_900_000, part: (at) => `${sentence(at * 2)}${sentence(at * 2 + 1)}\n` },
  links: {
    asDocument: 200_000,
    part: (at) => `${at % 200 === 0 ? "\n\n" : ""}[${at}](${word(at)}.md#${word(at)}) `,
  },
  words: { asDocument: 1_900_000, part: (at) => `${at % 200 === 0 ? "\n\n" : ""}${word(at)} ` },
  frontmatter: {
    asDocument: 1_900_000,
    part: (at) => `  ${word(at)}: ${"some words that are repeated here and there ".repeat(4)}\n`,
    around: ["---\nvariables:\n", "---\n\n# Title\n"],
  },
} satisfies Record<string, Shape>;

export type LongShape = keyof typeof SHAPES;
export const LONG_SHAPES = Object.keys(SHAPES) as LongShape[];

/** Bytes of a page that is long as a document. */
export const longestAsDocument = (shape: LongShape): number => SHAPES[shape].asDocument;

/** Markdown of almost so many bytes. */
export function longPage(shape: LongShape, bytes: number): string {
  const { part, around = ["", ""] }: Shape = SHAPES[shape];
  const made = [around[0]];
  for (let at = 0, length = around.join("").length; ; at++) {
    const next = part(at);
    length += next.length;
    if (length > bytes) break;
    made.push(next);
  }
  return `${made.join("")}${around[1]}`;
}
