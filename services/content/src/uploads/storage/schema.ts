import { id, text } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { problemOfName } from "../../files/name.js";

/** Most bytes of a font: those of Chinese or Japanese have tens of thousands of glyphs. */
const MOST_FONT = 10 * 1024 * 1024;
/** Most bytes of a file that is imported, as of any body. */
export const MOST_IMPORTED = 32 * 1024 * 1024;

const name = text(255, 1).superRefine((name, ctx) => {
  const problem = problemOfName(name);
  if (problem) ctx.addIssue({ code: "custom", message: problem });
});

/** Formats of fonts that browsers load. */
const FONTS = ["font/woff2", "font/woff"] as const;
/** What is imported as one file. */
const IMPORTED = [
  "application/zip",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "text/markdown",
  "text/html",
] as const;
const OF_KIND: Record<string, { types: readonly string[]; most: number }> = {
  customization_font: { types: FONTS, most: MOST_FONT },
  import_file: { types: IMPORTED, most: MOST_IMPORTED },
};

/** A file that is going to be uploaded. */
const StorageFileMetadata = z
  .object({ name, type: z.enum([...FONTS, ...IMPORTED]), size: z.number().int().min(1).max(MOST_IMPORTED) })
  .meta({ id: "StorageFileMetadata" });

export const StorageUploadURL = z
  .object({ object: z.literal("storage-signed-url"), url: z.string(), key: z.string() })
  .meta({ id: "StorageUploadURL" });

export const Upload = z
  .object({
    organizationId: id,
    kind: z.enum(["customization_font", "import_file"]),
    file: StorageFileMetadata,
  })
  .superRefine(({ kind, file }, ctx) => {
    const { types, most } = OF_KIND[kind]!;
    const refuse = (field: string, message: string) =>
      ctx.addIssue({ code: "custom", path: ["file", field], message });
    if (!types.includes(file.type)) refuse("type", `must be one of ${types.join(", ")}`);
    if (file.size > most) refuse("size", `must be at most ${most}`);
  });

export const Take = z.object({ organizationId: id, keys: z.array(text(512, 1)).min(1).max(100) });
/** Where each of the uploads that there are is served, in no order. */
export const Taken = z.array(
  z.object({ key: z.string(), url: z.string(), format: z.enum(["woff2", "woff"]) }),
);
