import { z } from "zod";
import { flags, id, timestamp, uri } from "./basics.js";

// Translations and terms as the contract shapes them.

const count = z.number().int();

export const Translation = z.strictObject({
  object: z.literal("translation"),
  id,
  status: z.enum(["pending", "running", "completed"]),
  source: z.strictObject({ space: id, language: z.string() }),
  language: z.string(),
  instructions: z.looseObject({ object: z.literal("document"), nodes: z.array(z.looseObject({})) }),
  result: z.strictObject({ space: id, revision: id }).optional(),
  createdAt: timestamp,
  updatedAt: timestamp,
  stats: z.strictObject({
    runs: count,
    totalWords: count,
    totalPages: count,
    totalDuration: count,
    latestRunDuration: count,
    latestPages: count,
    latestWords: count,
  }),
  permissions: flags("view", "edit"),
  urls: z.strictObject({ location: uri }),
  // Ours, beyond the interface: why the latest run made nothing.
  error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
});

export const GlossaryEntry = z.strictObject({
  object: z.literal("glossary-entry"),
  id,
  translations: z.record(z.string(), z.string().min(1).max(255)),
  createdAt: timestamp,
  updatedAt: timestamp,
  urls: z.strictObject({ location: uri }),
});
