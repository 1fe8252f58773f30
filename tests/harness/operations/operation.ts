// What a field of an operation must refuse, by its kind.

import type { Furniture } from "../furnish.js";

/** Values that are each refused, with an issue that names the field. */
export type Refused = unknown[];

export interface Operation {
  /** The fields of the body. */
  body?: Record<string, Refused>;
  /** A body that is right in every field, as a frame for a wrong one. */
  good?: Record<string, unknown>;
  /** The fields of the query besides `page` and `limit`. */
  query?: Record<string, string[]>;
  /** Whether it is a list with `page` and `limit`. */
  paged?: true;
  /** Whether anybody may read it, as far as the furniture goes: its space is public. */
  open?: true;
  /** Whether browsers post a form to it. */
  form?: true;
  /** Whether its body may be of any type. */
  raw?: true;
  /** Parameters of the path that may name what is not there yet. */
  creates?: string;
  /** What parameters of the path name, where the furniture has another name for it than the path. */
  named?: Record<string, keyof Furniture>;
}

export const long = (length: number) => "x".repeat(length);
export const text = (max: number, min = 0): Refused => [
  1,
  null,
  true,
  {},
  ["x"],
  long(max + 1),
  "a\0b",
  ...(min > 0 ? [long(min - 1)] : []),
];
export const id = text(100, 1);
export const or = (nullable: Refused) => nullable.filter((value) => value !== null);
export const choice: Refused = ["nonsense", "", 1, null, {}];
export const flag: Refused = ["true", "no", 1, 0, null, {}];
export const object: Refused = [1, "x", null, ["x"]];
export const url: Refused = [1, null, "nowhere", "javascript:alert(1)", `http://example.com/${long(2048)}`];
export const list = (...items: unknown[]): Refused => [1, "x", null, ...items.map((item) => [item])];
export const position: Refused = [
  1,
  "first",
  { before: { type: "page", page: "x" } },
  { before: { type: "space" } },
  { before: { type: "space", space: "a" }, after: { type: "space", space: "b" } },
];

export const words = ["maybe", "1", ""];
export const paged = { paged: true } as const;
export const none: Operation = { body: {} };
