import { createPool, type PoolOptions } from "@octavo/shared/workers/pool";
import type { SourceFile } from "./bundle.js";
import type { BreakingChanges } from "./compare.js";
import type { JsonObject } from "./json.js";
import type { Reading } from "./tasks.js";
import { asVersion3 } from "./upgrade.js";

/** Reads OpenAPI documents on a thread of its own, one after the other: pages need not wait for them. */
export interface SpecReader {
  /** Makes one document of its files, and validates it. `WorkFailed` when that takes too long or too much memory. */
  read(files: SourceFile[]): Promise<Reading>;
  /** Reads a text as a document that need not be valid, in JSON; undefined when it is none. */
  readAsWritten(text: string): Promise<string | undefined>;
  /** Lists what clients of a document cannot rely on in a later one. */
  compare(former: string, present: string): Promise<BreakingChanges>;
  /** Parses a document that is kept as JSON. */
  open(document: string): Promise<JsonObject>;
  /** Parses a document that is kept as JSON; one of version 2.0 is converted to version 3.0. */
  openUpgraded(document: string): Promise<JsonObject>;
  close(): Promise<void>;
}

/** Characters up to which a document is parsed at once: a millisecond or two. */
const SHORT = 200_000;

/** Creates a reader whose thread starts with the first document. */
export function createSpecReader(options: Partial<PoolOptions> = {}): SpecReader {
  const module = new URL(`./thread${import.meta.url.slice(-3)}`, import.meta.url);
  const limits = { threads: 1, deadline: 60_000, memory: 1024 };
  const pool = createPool({ module, subject: "OpenAPI document", ...limits, ...options });
  return {
    read: async (files) => (await pool.run("read", { files })) as Reading,
    readAsWritten: async (text) => (await pool.run("readAsWritten", { text })) as string | undefined,
    compare: async (former, present) =>
      (await pool.run("compareTexts", { former, present })) as BreakingChanges,
    open: async (document) =>
      (document.length < SHORT ? JSON.parse(document) : await pool.run("open", { document })) as JsonObject,
    openUpgraded: async (document) =>
      (document.length < SHORT
        ? asVersion3(JSON.parse(document) as JsonObject)
        : await pool.run("openUpgraded", { document })) as JsonObject,
    close: pool.close,
  };
}
