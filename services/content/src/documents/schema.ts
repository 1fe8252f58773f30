import { hasTooManyLines, MOST_LINES } from "@octavo/markdown/blocks/lines";
import { text } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { jsonDocument } from "./document-schema.js";

const markdown = (max: number) =>
  text(max).refine((source) => !hasTooManyLines(source), { error: `has more than ${MOST_LINES} lines` });

/** A text as clients send it: markdown of at most so many characters, a document, or nothing. */
export const sentDocument = (max: number) =>
  z
    .strictObject({ markdown: markdown(max).optional(), document: jsonDocument.optional() })
    .refine(({ markdown, document }) => markdown === undefined || document === undefined, {
      error: "takes markdown or a document, not both",
    });
