import { mergeConfig } from "vitest/config";
import base from "../../vitest.config.js";

/** Loads one file with another text than it has; nothing is written. */
// biome-ignore lint/suspicious/noUndeclaredEnvVars: it is told by run.ts, and no task of turbo reads it.
const { file, source } = JSON.parse(process.env.MUTANT ?? "{}");

export default mergeConfig(base, {
  plugins: [{ name: "mutant", enforce: "pre", load: (id: string) => (id === file ? source : undefined) }],
});
