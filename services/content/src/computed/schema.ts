import { id, text } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { JSONDocument } from "../documents/document-schema.js";
import { problemOfName } from "../files/name.js";
import { MAX_FILE } from "../files/receive.js";
import { File, Page, ReusableContent } from "../pages/schema.js";

/** Characters of a source as JSON. */
const LONGEST = 50_000;

const isBounded = (source: unknown) => JSON.stringify(source).length <= LONGEST;
const bounded = `must have at most ${LONGEST} characters as JSON`;

const openapiDependency = z.object({
  spec: z.looseObject({ ref: z.object({ kind: z.literal("openapi"), spec: text(100, 1) }) }),
});

const integrationType = text(400).regex(
  /^integration:[^:]+:[^:]+$/,
  "must be integration:<integration>:<source>",
);
const plain = z.record(z.string(), z.unknown());
const dependency = z.looseObject({ ref: z.looseObject({ kind: text(50, 1) }) });
const OfIntegration = z.object({
  type: integrationType,
  props: plain,
  dependencies: z.record(text(100, 1), dependency).optional(),
});

/** What pages are computed from. */
export const RevisionSource = z
  .union([
    z.object({
      type: z.literal("builtin:openapi"),
      props: z.looseObject({
        models: z.boolean().optional(),
        grouping: z.enum(["by-tag", "by-operation"]).optional(),
      }),
      dependencies: openapiDependency,
    }),
    OfIntegration,
  ])
  .refine(isBounded, bounded)
  .meta({ id: "ComputedContentSourceRevision" });

/** What the text of a page is computed from. */
export const DocumentSource = z
  .union([
    z.object({
      type: z.literal("builtin:openapi"),
      props: z.discriminatedUnion("doc", [
        z.object({ doc: z.literal("models") }),
        z.object({ doc: z.literal("operations"), page: text(1000, 1) }),
        z.object({ doc: z.literal("info"), page: text(1000, 1) }),
      ]),
      dependencies: openapiDependency,
    }),
    OfIntegration,
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

/** What is asked of content by integrations. */
export const Wanted = z.object({
  spaceId: id,
  /** The integrations that compute content there, by name, with their versions. */
  versions: z.record(z.string(), z.number()),
});
export const WantedSources = z.array(
  z.object({
    key: z.string(),
    inputs: z.string(),
    type: z.string(),
    props: plain,
    /** By name: what it refers to, and what that is now. */
    dependencies: plain,
  }),
);
export const SpacesOf = z.object({ organizationId: id });
export const SpaceIds = z.array(z.string());

const filled = {
  type: z.enum(["document", "group"]),
  id: text(200, 1).optional(),
  title: text(200, 1),
  slug: text(200, 1).optional(),
  description: text(1000).optional(),
  emoji: text(50).optional(),
  icon: text(50).optional(),
  document: JSONDocument.optional(),
  markdown: text(200_000).optional(),
  computed: z.object({ type: text(400, 1), props: plain.optional() }),
};
export type FilledPage = z.output<z.ZodObject<typeof filled>> & { pages: FilledPage[] };
const FilledPage: z.ZodType<FilledPage> = z.object({
  ...filled,
  get pages(): z.ZodArray<z.ZodType<FilledPage>> {
    return z.array(FilledPage).max(2_000);
  },
});
/** Who computes, or computed, content of an organization. */
const by = z.object({ integration: text(1024, 1), installation: id, organization: id });
export const Forget = z.object({ spaceId: id, by });

const fileName = text(255, 1).superRefine((name, ctx) => {
  const problem = problemOfName(name);
  if (problem) ctx.addIssue({ code: "custom", message: problem });
});
/** A file that a source names, as its script announced it. */
const AnnouncedFile = z.object({
  name: fileName,
  downloadURL: text(2048, 1),
  size: z.number().int().min(0).max(MAX_FILE),
  contentType: text(255, 1),
});
export const Receive = z.object({ spaceId: id, by, file: AnnouncedFile });
export const ReceivedFile = z.object({
  /** Names the content from then on. */
  hash: text(43, 43),
  props: z.object({
    contentType: text(255, 1),
    size: z.number().int().min(0),
    dimensions: z.object({ width: z.number(), height: z.number() }).optional(),
  }),
});
/** A file that came in, and how the pages of its source name it: by its id, else by its name. */
const FilledFile = ReceivedFile.extend({ id: text(200, 1).optional(), name: fileName });
export type FilledFile = z.output<typeof FilledFile>;
export const Fill = z.object({
  spaceId: id,
  key: text(100, 1),
  inputs: text(100, 1),
  pages: z.array(FilledPage).max(2_000),
  files: z.array(FilledFile).max(50).default([]),
  by,
});
/** The names of the files for which there was no room. */
export const Filled = z.object({ left: z.array(z.string()) });
