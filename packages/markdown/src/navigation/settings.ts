import { isMap, isScalar } from "yaml";
import { isAbsoluteUrl, resolvePath } from "../text/destination.js";
import { isRecord } from "../yaml/record.js";
import { type Problem, readYaml } from "../yaml/yaml.js";

/** What `.gitbook.yaml` says; all paths relative, without leading `./` or trailing `/`. */
export interface Settings {
  /** Folder of the content inside the repository (project directory); "" is the directory itself. */
  root: string;
  /** Relative to root. */
  readme: string;
  /** Relative to root. */
  summary: string;
  /** Old path (no leading slash) -> file relative to root, perhaps with `#anchor`. */
  redirects: Record<string, string>;
}

/** Thrown by readSettings; every problem in one go, `line` 1-based. */
export class SettingsError extends Error {
  readonly problems: Problem[];
  constructor(problems: Problem[]) {
    super(
      `.gitbook.yaml: ${problems
        .slice(0, 10)
        .map(({ line, message }) => `line ${line}: ${message}`)
        .join("; ")}`,
    );
    this.name = "SettingsError";
    this.problems = problems;
  }
}

/** Redirects of years may fill a long file. */
const LONGEST = 200_000;
/** Nobody reads more of them, and each is looked up in the file. */
const MOST_PROBLEMS = 100;

/** What holds without a `.gitbook.yaml`. */
const defaultSettings = (): Settings => ({
  root: "",
  readme: "README.md",
  summary: "SUMMARY.md",
  redirects: {},
});

/** Reads `.gitbook.yaml`; undefined or an empty file gives the defaults, unknown fields are ignored. Throws SettingsError. */
export function readSettings(source: string | undefined): Settings {
  const settings = defaultSettings();
  const { value, lineOf } = readFields(source ?? "");
  if (value === undefined || value === null) return settings;
  const problems: Problem[] = [];
  const problem = (path: string[], message: string) => {
    if (problems.length < MOST_PROBLEMS) problems.push({ line: lineOf(path), message });
  };
  const path = (keys: string[], one: unknown, fallback: string): string => {
    if (one === undefined || one === null) return fallback;
    const resolved = relative(one);
    if (typeof resolved === "string") return resolved;
    problem(keys, `${keys.join(".")}: ${resolved.problem}`);
    return fallback;
  };
  const map = (keys: string[], one: unknown): Record<string, unknown> => {
    if (isRecord(one)) return one;
    if (one !== undefined && one !== null) problem(keys, `${keys.join(".") || "the file"} must be a map`);
    return {};
  };
  const fields = map([], value);
  settings.root = path(["root"], fields.root, "");
  const structure = map(["structure"], fields.structure);
  settings.readme = path(["structure", "readme"], structure.readme, "README.md");
  settings.summary = path(["structure", "summary"], structure.summary, "SUMMARY.md");
  for (const name of ["readme", "summary"] as const) {
    if (settings[name] === "") problem(["structure", name], `structure.${name}: names a folder, not a file`);
  }
  const redirects = map(["redirects"], fields.redirects);
  const entries = Object.entries(redirects).map(([from, to]) => {
    const old = from.replace(/^\/+/, "");
    return [old, path(["redirects", from], to ?? "", "")] as const;
  });
  settings.redirects = Object.fromEntries(entries);
  if (problems.length > 0) throw new SettingsError(problems);
  return settings;
}

function relative(value: unknown): string | { problem: string } {
  if (typeof value !== "string") return { problem: "must be a path" };
  const path = value.trim();
  if (path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path)) return { problem: `"${path}" must be relative` };
  if (isAbsoluteUrl(path)) return { problem: `"${path}" must be a path, not an address` };
  if (/\p{Cc}/u.test(path)) return { problem: "holds control characters" };
  return resolvePath("", path) ?? { problem: `"${path}" leaves the repository's folder` };
}

/** The value and the line of a field in it. */
function readFields(source: string): { value: unknown; lineOf: (path: string[]) => number } {
  const read = readYaml(source.replace(/^\uFEFF/, ""), LONGEST);
  if ("problem" in read) throw new SettingsError([read.problem]);
  const { doc } = read;
  const lineOf = (path: string[]) => {
    const parent = path.length > 1 ? doc.getIn(path.slice(0, -1), true) : doc.contents;
    const isLast = ({ key }: { key: unknown }) => isScalar(key) && String(key.value) === path.at(-1);
    const pair = isMap(parent) ? parent.items.find(isLast) : undefined;
    const at = isScalar(pair?.key) ? pair.key.range?.[0] : undefined;
    return at === undefined ? 1 : read.lineOf(at);
  };
  return { value: read.value, lineOf };
}
