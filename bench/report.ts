/** One number of the benchmark: what was measured, what it is compared with, and how. */
export interface Line {
  what: string;
  measured: string;
  reference?: string;
  /** What the target is about: a ratio, or a plain number with its unit. */
  result: number;
  target?: { atLeast: number } | { atMost: number };
  unit?: string;
}

/** The middle one; of an even number the lower of both. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

/** The lines as a table. */
export function table(lines: Line[]): string {
  const rows = [
    ["what", "measured", "reference", "result", "target", ""],
    ...lines.map(({ what, measured, reference = "", result, target, unit = "" }) => [
      what,
      measured,
      reference,
      `${round(result)}${unit && ` ${unit}`}`,
      target ? `${"atLeast" in target ? "≥" : "≤"} ${Object.values(target)[0]}` : "",
      target ? (holds(result, target) ? "ok" : "MISSED") : "",
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

const holds = (result: number, target: NonNullable<Line["target"]>) =>
  "atLeast" in target ? result >= target.atLeast : result <= target.atMost;

const round = (value: number) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2));
