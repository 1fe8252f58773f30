import { fail } from "./nodes.js";
import { type Budget, type Callback, spend, textOf, type Value } from "./values.js";

const number = (value: Value) => (value === undefined ? 0 : Number(textOf(value)));

const OF_TEXTS: Record<string, (text: string, args: Value[]) => Value> = {
  at: (text, [index]) => text.at(number(index)),
  startsWith: (text, [part]) => text.startsWith(textOf(part)),
  endsWith: (text, [part]) => text.endsWith(textOf(part)),
  includes: (text, [part]) => text.includes(textOf(part)),
  toLowerCase: (text) => text.toLowerCase(),
  toUpperCase: (text) => text.toUpperCase(),
  trim: (text) => text.trim(),
};

type Each = (item: Value, index: number) => Value;

const OF_LISTS: Record<string, (list: Value[], args: Value[], each: Each) => Value> = {
  at: (list, [index]) => list.at(number(index)),
  includes: (list, [item]) => list.includes(item),
  some: (list, _, each) => list.some((item, index) => each(item, index)),
  every: (list, _, each) => list.every((item, index) => each(item, index)),
  map: (list, _, each) => list.map((item, index) => each(item, index)),
  filter: (list, _, each) => list.filter((item, index) => each(item, index)),
};

/** The names of all functions that texts and lists have. */
export const METHODS: ReadonlySet<string> = new Set([...Object.keys(OF_TEXTS), ...Object.keys(OF_LISTS)]);

const methodsOf = (holder: Value): object =>
  typeof holder === "string" ? OF_TEXTS : Array.isArray(holder) ? OF_LISTS : {};

/** Whether texts or lists can do this. */
export const hasMethod = (holder: Value, name: string): holder is string | Value[] =>
  Object.hasOwn(methodsOf(holder), name);

/** Calls what `hasMethod` found. `depth` is the caller's. */
export function callMethod(
  holder: string | Value[],
  name: string,
  args: Value[],
  { budget, depth }: { budget: Budget; depth: number },
): Value {
  if (typeof holder === "string") {
    spend(budget, 1 + holder.length / 100);
    return OF_TEXTS[name]!(holder, args);
  }
  spend(budget, 1 + holder.length / 10);
  const callback = args[0];
  const each: Each = (item, index) =>
    typeof callback === "function"
      ? (callback as Callback)([item, index, holder], depth)
      : fail(`${name} needs a function`);
  return OF_LISTS[name]!(holder, args, each);
}
