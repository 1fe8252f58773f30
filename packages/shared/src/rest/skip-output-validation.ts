import type { z } from "zod";
import { WrittenJson } from "./written-json.js";

/**
 * The schema of a response whose view makes exactly this shape: it is checked in development and tests, and passed on
 * unchecked in production, where checking a long list would cost more than reading it. In the OpenAPI document it goes by
 * the name of that schema. What is written as JSON already was made by the same view.
 */
export function skipOutputValidation<Schema extends z.ZodType>(schema: Schema): Schema {
  const lean = schema.clone();
  const { parse, parseAsync } = lean;
  const unchecked = (value: unknown) => process.env.NODE_ENV === "production" || value instanceof WrittenJson;
  lean.parse = (value, params) => (unchecked(value) ? (value as never) : parse(value, params));
  lean.parseAsync = async (value, params) =>
    unchecked(value) ? (value as never) : parseAsync(value, params);
  return lean;
}
