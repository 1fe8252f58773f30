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
}

/** The lines as a table for a terminal. */
export function table(lines: Line[]): string {
  const rows = [
    ["attack", "inputs", "held", "slowest of others", "time", "claim"],
    ...lines.map(({ attack, inputs, broken, seconds, slowest }) => [
      attack.name,
      String(inputs),
      broken.length > 0 ? `FAILED (${broken.length})` : "held",
      `${Math.round(slowest)} ms`,
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
