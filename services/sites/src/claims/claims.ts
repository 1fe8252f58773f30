import { isMet } from "@octavo/markdown/expression/evaluate";
import type { Claim, Properties } from "./schema.js";

/** What a visitor claims, as far as the schema of the site has it; without a prototype, for names are free. */
export type Claims = Record<string, unknown>;

/** Items of a list that a visitor claims; those behind are left out. */
const MOST_ITEMS = 100;

/**
 * The part of what a visitor claims that the schema has: values of another type, texts that are none of the listed ones
 * and names that it does not know are left out. Costs what the schema holds, whatever is claimed.
 */
export function claimsWithin(properties: Properties, given: unknown): Claims {
  const kept = Object.create(null) as Claims;
  if (typeof given !== "object" || given === null || Array.isArray(given)) return kept;
  for (const [name, claim] of Object.entries(properties)) {
    if (!Object.hasOwn(given, name)) continue;
    const value = valueWithin(claim, (given as Claims)[name]);
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

/** Whether what is shown by a claim is one of few things. */
export const isDeterministic = (claim: Claim): boolean =>
  claim.type === "boolean" || (claim.type === "string" && claim.enum !== undefined);

/** Whether a condition lets a visitor with these claims in; without one it does, and one that fails does not. */
export const isVisible = (condition: string | null | undefined, claims: Claims): boolean =>
  !condition || isMet(condition, { visitor: { claims }, space: { vars: {} }, page: { vars: {} } });

function valueWithin(claim: Claim, value: unknown): unknown {
  switch (claim.type) {
    case "boolean":
      return typeof value === "boolean" ? value : undefined;
    case "number":
      return typeof value === "number" && Number.isFinite(value) ? value : undefined;
    case "string":
      return typeof value === "string" && (claim.enum?.includes(value) ?? true) ? value : undefined;
    case "array":
      return Array.isArray(value)
        ? value.slice(0, MOST_ITEMS).filter((item) => valueWithin(claim.items, item) !== undefined)
        : undefined;
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value)
        ? claimsWithin(claim.properties, value)
        : undefined;
  }
}
