import { id, text } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { JSONDocument } from "../documents/document-schema.js";
import { File, Page, ReusableContent } from "../pages/schema.js";

/** Characters of a source as JSON. */
const LONGEST = 50_000;

const isBounded = (source: unknown) => JSON.stringify(source).length <= LONGEST;
const bounded = `must have at most ${LONGEST} characters as JSON`;

const openapiDependency = z.object({
  spec: z.looseObject({ ref: z.object({ kind: z.literal("openapi"), spec: text(100, 1) }) }),
});

/** What pages are computed from. */
export const RevisionSource = z
  .discriminatedUnion("type", [
    z.object({
      type: z.literal("builtin:openapi"),
      props: z.looseObject({
        models: z.boolean().optional(),
        grouping: z.enum(["by-tag", "by-operation"]).optional(),
      }),
      dependencies: openapiDependency,
    }),
  ])
  .refine(isBounded, bounded)
  .meta({ id: "ComputedContentSourceRevision" });

/** What the text of a page is computed from. */
export const DocumentSource = z
  .discriminatedUnion("type", [
    z.object({
      type: z.literal("builtin:openapi"),
      props: z.discriminatedUnion("doc", [
        z.object({ doc: z.literal("models") }),
        z.object({ doc: z.literal("operations"), page: text(1000, 1) }),
        z.object({ doc: z.literal("info"), page: text(1000, 1) }),
      ]),
      dependencies: openapiDependency,
    }),
  ])
  .refine(isBounded, bounded)
  .meta({ id: "ComputedContentSourceDocument" });

const asked = { spaceId: id, seed: text(200, 1) };
export const ComputeRevision = z.object({ ...asked, source: RevisionSource });
export const ComputeDocument = z.object({
  ...asked,
  source: DocumentSource,
  schema: z.enum(["current", "next"]).optional(),
});

export const ComputedRevision = z
  .object({ pages: z.array(Page), files: z.array(File), reusableContents: z.array(ReusableContent) })
  .meta({ id: "ComputedRevision" });
export const ComputedDocument = JSONDocument;
