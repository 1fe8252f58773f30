/** Characters of a text that a search in it has passed, by what it found and from where it looked. */
const SEARCHES: Record<string, (text: string, found: unknown, from: unknown) => number> = {
  indexOf: (text, found, from = 0) => (Number(found) < 0 ? text.length : Number(found)) - Number(from),
  includes: (text, _found, from = 0) => text.length - Number(from),
  lastIndexOf: (text, found, from = text.length) => Math.min(Number(from), text.length) - Number(found),
};
const STEPS: [owner: object, ...names: string[]][] = [
  [String.prototype, "slice", "startsWith", "endsWith", "charAt", "charCodeAt", "codePointAt"],
  [Map.prototype, "get", "has"],
  [Set.prototype, "has", "add"],
];

/**
 * Counts the lookups of some work in texts, maps and sets, and the characters that its searches pass.
 *
 * No load of the machine changes the count. Regular expressions are not counted: the time-out of the test bounds them.
 */
export function workOf(run: () => unknown): number {
  let work = 0;
  const undo: (() => void)[] = [];
  const count = (
    owner: object,
    name: string,
    cost: (text: string, found: unknown, from: unknown) => number,
  ) => {
    const original = Object.getOwnPropertyDescriptor(owner, name)!;
    const value = function (this: string, ...args: unknown[]) {
      const found: unknown = original.value.apply(this, args);
      work += Math.max(1, cost(this, found, args[1]));
      return found;
    };
    Object.defineProperty(owner, name, { ...original, value });
    undo.push(() => Object.defineProperty(owner, name, original));
  };
  for (const [name, cost] of Object.entries(SEARCHES)) count(String.prototype, name, cost);
  for (const [owner, ...names] of STEPS) for (const name of names) count(owner, name, () => 1);
  try {
    run();
  } finally {
    for (const restore of undo) restore();
  }
  return work;
}
