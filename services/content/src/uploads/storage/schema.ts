import { id, text } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { problemOfName } from "../../files/name.js";

/** Most bytes of a font: those of Chinese or Japanese have tens of thousands of glyphs. */
export const MOST_FONT = 10 * 1024 * 1024;

const name = text(255, 1).superRefine((name, ctx) => {
  const problem = problemOfName(name);
  if (problem) ctx.addIssue({ code: "custom", message: problem });
});

/** A file that is going to be uploaded: formats of fonts that browsers load. */
const StorageFileMetadata = z
  .object({ name, type: z.enum(["font/woff2", "font/woff"]), size: z.number().int().min(1).max(MOST_FONT) })
  .meta({ id: "StorageFileMetadata" });

export const StorageUploadURL = z
  .object({ object: z.literal("storage-signed-url"), url: z.string(), key: z.string() })
  .meta({ id: "StorageUploadURL" });

/** Imports take an address, so that fonts are all that is uploaded. */
export const Upload = z.object({
  organizationId: id,
  kind: z.enum(["customization_font"]),
  file: StorageFileMetadata,
});

export const Take = z.object({ organizationId: id, keys: z.array(text(512, 1)).min(1).max(100) });
/** Where each of the uploads that there are is served, in no order. */
export const Taken = z.array(
  z.object({ key: z.string(), url: z.string(), format: z.enum(["woff2", "woff"]) }),
);
