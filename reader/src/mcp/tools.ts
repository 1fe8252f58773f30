// The tools that a site has for programs: what each takes, and what all return.

import { z } from "zod";
import { LONGEST_COMMENT, LONGEST_QUERY, RATINGS } from "../site/limits.js";

const page = z
  .string()
  .max(2_048)
  .describe("The path or the address of a page, as the other tools return it.");
const section = z
  .string()
  .max(2_048)
  .optional()
  .describe("The address of the section to begin with, as this tool returns it; without it the first one.");
const from = z
  .number()
  .int()
  .min(0)
  .default(0)
  .describe("Where to begin, as the last line of what was sent before says.");

/** What each tool takes. */
export const INPUTS = {
  search: z.object({ query: z.string().min(1).max(LONGEST_QUERY) }),
  get_page: z.object({ page, from }),
  list_pages: z.object({ section, from }),
  send_feedback: z.object({
    page,
    rating: z.enum(RATINGS),
    comment: z.string().max(LONGEST_COMMENT).optional(),
  }),
};

export type ToolName = keyof typeof INPUTS;
export type ToolInput<Name extends ToolName> = z.output<(typeof INPUTS)[Name]>;

/** A call of a tool whose input is valid. */
export type ToolCall<Name extends ToolName = ToolName> = {
  [One in Name]: { name: One; input: ToolInput<One> };
}[Name];

/** What a tool returns: a text for the program, or why there is none. */
export interface ToolResult {
  content: { type: "text"; text: string }[];
  isError?: true;
  [other: string]: unknown;
}

export const textResult = (text: string): ToolResult => ({ content: [{ type: "text", text }] });
export const errorResult = (text: string): ToolResult => ({ ...textResult(text), isError: true });
