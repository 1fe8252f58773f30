import { encodeCursor } from "@octavo/shared/contracts/cursor";
import { decodeCursor } from "@octavo/shared/cursor";
import type { Ctx } from "../../trpc.js";

/** Some of a list, and how many there are behind them; `last` is the key of the last of those seen so far. */
export interface Slice<Item> {
  items: Item[];
  more: number;
  last: string;
}

/** The items whose keys come after `behind`, of a list that is in the order of its keys. */
export function slice<Item>(
  all: Item[],
  keyOf: (item: Item) => string,
  behind: string,
  limit: number,
): Slice<Item> {
  const left = behind === "" ? all : all.filter((item) => keyOf(item) > behind);
  const items = left.slice(0, limit);
  const last = items.at(-1);
  return { items, more: left.length - items.length, last: last === undefined ? behind : keyOf(last) };
}

/** Where a page of changes and conflicts begins: behind a key of each of the two lists. */
export function cursorOf(page: string | undefined): [change: string, conflict: string] {
  if (page === undefined) return ["", ""];
  const [change, conflict] = decodeCursor(page, 2);
  return [String(change), String(conflict)];
}

type End = Pick<Slice<unknown>, "more" | "last">;

/**
 * Names the next page in the header `link`, when either list goes on: the response itself has no place for it. A page of
 * nothing leads nowhere.
 */
export function leadOn(
  { reply }: Pick<Ctx, "reply">,
  location: string,
  limit: number,
  changes: End,
  conflicts: End,
) {
  if (limit === 0 || changes.more + conflicts.more === 0) return;
  const page = encodeCursor([changes.last, conflicts.last]);
  reply.headers.link = `<${location}?limit=${limit}&page=${page}>; rel="next"`;
}
