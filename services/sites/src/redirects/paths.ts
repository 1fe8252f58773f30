// Paths below the root of a site, and patterns of them: `/old/*` stands for all paths below `/old`.

const WILD = "/*";

export const isPattern = (path: string): boolean => path.endsWith(WILD);

const prefixOf = (pattern: string): string => pattern.slice(0, -WILD.length);

/** How a path or pattern is compared: case, percent-encoding and a slash at the end make no difference. */
export function keyOf(path: string): string {
  if (isPattern(path)) return keyOf(prefixOf(path)) + WILD;
  return path.replace(/\/+$/, "").split("/").map(normalized).join("/");
}

function normalized(segment: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(segment).toLowerCase()).replaceAll("*", "%2A");
  } catch {
    return segment.toLowerCase();
  }
}

/** The keys of everything that stands for a path, by its key: the path first, then patterns, closest first. */
export function keysFor(key: string): string[] {
  const segments = key.split("/");
  return [
    key,
    ...segments.slice(1).map((_, at) => segments.slice(0, segments.length - 1 - at).join("/") + WILD),
  ];
}

/** What of a path lies below a pattern that stands for it, with a slash in front; nothing below a path. */
export function restOf(path: string, pattern: string): string {
  if (!isPattern(pattern)) return "";
  const segments = path.replace(/\/+$/, "").split("/");
  return `/${segments.slice(prefixOf(pattern).split("/").length).join("/")}`;
}

/** An address or path with the rest of what was asked for in the place of its `*`, where it has one. */
export const filled = (address: string, rest: string): string =>
  isPattern(address) ? prefixOf(address) + rest : address;

/** A redirect from a path or pattern, by its key, to the key of another; or to where no redirect is looked for. */
export interface Step {
  id: string;
  from: string;
  to?: string;
}

/**
 * Whether some path that a redirect takes could be led back to it. Judged by what patterns have in common, so that no
 * removal of another redirect makes a circle of what was none.
 */
export const isCircular = (steps: Step[], start: Step): boolean =>
  leadsBack(sortedSteps([...steps.filter(({ id }) => id !== start.id), start]), start);

/** Redirects sorted by where they come from, among which `leadsBack` looks. */
export const sortedSteps = (steps: Step[]): Step[] =>
  steps.toSorted((one, other) => (one.from < other.from ? -1 : 1));

/** Whether some path that a redirect takes could be led back to it by these redirects, of which it is one. */
export function leadsBack(all: Step[], start: Step): boolean {
  const seen = new Set<Step>();
  const open = [start];
  for (let step = open.pop(); step; step = open.pop()) {
    if (step.to === undefined) continue;
    for (const next of reachedFrom(all, step.to)) {
      if (next === start) return true;
      if (!seen.has(next)) open.push(next);
      seen.add(next);
    }
  }
  return false;
}

/** The redirects, sorted by where they come from, that take some path for which a destination stands. */
function reachedFrom(sorted: Step[], to: string): Step[] {
  const found = keysFor(isPattern(to) ? `${prefixOf(to)}/x` : to).flatMap((key) => {
    const step = sorted[firstFrom(sorted, key)];
    return step?.from === key ? [step] : [];
  });
  if (!isPattern(to)) return found;
  const below = `${prefixOf(to)}/`;
  for (let at = firstFrom(sorted, below); sorted[at]?.from.startsWith(below); at += 1)
    found.push(sorted[at]!);
  return found;
}

/** The place of the first redirect that comes from this key or one behind it. */
function firstFrom(sorted: Step[], key: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]!.from < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
