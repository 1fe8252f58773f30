import { inject } from "vitest";
import { register } from "./people.js";
import { logsOf, type Stack } from "./stack.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the workers ask for the shared stack. */
    sharedStack: string;
  }
}

/** A stack that other test files use at the same time: none of them stops it, or looks at more than it made there. */
export type SharedStack = Pick<Stack, "base" | "port" | "token" | "dataDir" | "logs">;

/**
 * The one stack of the run, for journeys that need no other settings and kill nothing. The token is a new
 * administrator's, whose only organization is new as well: whoever asks gets others.
 */
export async function sharedStack(): Promise<SharedStack> {
  const response = await fetch(inject("sharedStack"));
  if (!response.ok) throw new Error(await response.text());
  const at = (await response.json()) as Pick<Stack, "base" | "port" | "dataDir">;
  const { token } = await register(at, "Ada");
  return { ...at, token, logs: () => logsOf(at.dataDir) };
}
