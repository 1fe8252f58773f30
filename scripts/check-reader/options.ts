import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { readUrl } from "@octavo/shared/read-url";

/** What a run looks at. */
export interface Options {
  folders: string[];
  /** Numbers of the checks that are run. */
  only: number[];
  /** How many pages of each site are looked at closely. */
  sample: number;
  /** Addresses at which another renderer shows the folders. */
  same: string[];
  help: boolean;
}

/** Options that cannot be run; `issues` names all that is wrong with them. */
export class OptionsError extends Error {
  readonly issues: readonly string[];

  constructor(issues: readonly string[]) {
    super(issues.join("\n"));
    this.issues = issues;
  }
}

const HANDBOOK = "tests/fixtures/handbook";

const known = {
  only: { type: "string" },
  sample: { type: "string" },
  same: { type: "string" },
  help: { type: "boolean" },
} as const;
const NAMES = new Map<string, "string" | "boolean">(
  Object.entries(known).map(([name, { type }]) => [name, type]),
);

/** Reads the arguments of the command for checks of some numbers; throws an OptionsError for those that cannot be run. */
export function readOptions(args: string[], numbers: readonly number[]): Options {
  const { values, positionals, tokens } = parseArgs({
    args,
    options: known,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const issues = tokens.flatMap((token) => (token.kind === "option" ? issuesOf(token) : []));
  const text = (name: "only" | "sample" | "same") =>
    typeof values[name] === "string" ? values[name] : undefined;
  const [only, sample] = [text("only")?.split(","), text("sample") ?? "12"];
  const same = text("same")?.split(",") ?? [];
  const folders = positionals.length > 0 ? positionals : [HANDBOOK];
  for (const number of only ?? [])
    if (!numbers.some((one) => String(one) === number))
      issues.push(
        `--only takes the numbers of checks, 1 to ${Math.max(...numbers)}: ${quoted(number)} is none`,
      );
  if (!/^[1-9]\d{0,5}$/.test(sample))
    issues.push(`--sample takes a number of pages, 1 or more: ${quoted(sample)} is none`);
  for (const address of same)
    if (!/^https?:/.test(address) || !readUrl(address))
      issues.push(`--same takes addresses: ${quoted(address)} is none`);
  if (same.length > folders.length) issues.push("--same takes no more addresses than there are folders");
  for (const folder of folders) if (!existsSync(folder)) issues.push(`There is no folder ${folder}`);
  if (issues.length > 0) throw new OptionsError(issues);
  return {
    folders,
    same,
    sample: Number(sample),
    help: values.help === true,
    only: only?.map(Number) ?? [...numbers],
  };
}

const quoted = (text: string): string => JSON.stringify(text);

/** What is wrong with an option whatever its value is. */
function issuesOf({ name, rawName, value }: { name: string; rawName: string; value?: string }): string[] {
  const type = NAMES.get(name);
  if (type === undefined) return [`There is no option ${rawName}`];
  if (type === "string" && value === undefined) return [`${rawName} takes a value`];
  if (type === "boolean" && value !== undefined) return [`${rawName} takes no value`];
  return [];
}
