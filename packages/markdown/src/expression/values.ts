import { fail, type Primitive } from "./nodes.js";

/** What expressions compute with. */
export type Value = Primitive | Value[] | { [key: string]: Value } | Callback;
/** A function of an expression; `depth` is how deep its caller is. */
export type Callback = (args: Value[], depth?: number) => Value;

/** How much work is left. */
export interface Budget {
  steps: number;
}

/** Takes work off a budget; there is no more of it below zero. */
export function spend(budget: Budget, steps: number): void {
  budget.steps -= steps;
  if (budget.steps < 0) fail("takes too many steps");
}

/** Returns whether a value is null or neither an object nor a function. */
export const isPrimitive = (value: unknown): value is Primitive =>
  value === null || (typeof value !== "object" && typeof value !== "function");

/** A value as text; lists and objects have none. */
export const textOf = (value: Value): string =>
  isPrimitive(value) ? String(value) : fail("a list or an object is no text");
