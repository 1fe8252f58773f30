import type { Attack } from "./attack.js";

/** What came of one attack. */
export interface Line {
  attack: Attack;
  inputs: number;
  /** What did not hold; empty when all did. */
  broken: string[];
  seconds: number;
  /** The slowest request of somebody else meanwhile, in ms. */
  slowest: number;
  /** What it read. */
  path: string;
}

/** The lines as a table for a terminal. */
export function table(lines: Line[]): string {
  const rows = [
    ["attack", "inputs", "held", "slowest of others", "time", "claim"],
    ...lines.map(({ attack, inputs, broken, seconds, slowest, path }) => [
      attack.name,
      String(inputs),
      broken.length > 0 ? `FAILED (${broken.length})` : "held",
      `${Math.round(slowest)} ms, ${kindOf(path)}`,
      `${seconds.toFixed(1)} s`,
      attack.claim,
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** The kind of thing that a path names, as `spaces/…/content/pages`. */
function kindOf(path: string): string {
  return path
    .split("/")
    .slice(1)
    .map((part, at) => (at === 1 ? "…" : part))
    .join("/");
}
