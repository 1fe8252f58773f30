import { z } from "zod";
import { id, timestamp, uri } from "./basics.js";
import { ChangeRequest } from "./space-shapes.js";

// Pages, files, documents and revisions as the contract shapes them.

const blob = z.strictObject({ oid: z.string(), path: z.string() });

export const File = z.strictObject({
  id: z.string().min(1),
  name: z.string(),
  contentType: z.string(),
  downloadURL: uri,
  size: z.number().int(),
  dimensions: z.strictObject({ width: z.number(), height: z.number() }).optional(),
  git: blob.optional(),
});

const embed = { title: z.string(), site: z.string(), icon: uri.optional() };
export const Embed = z.union([
  z.strictObject({ ...embed, type: z.literal("link") }),
  z.strictObject({ ...embed, type: z.literal("rich"), html: z.string() }),
]);

const pageBase = {
  id,
  title: z.string().min(1),
  emoji: z.string().max(50).optional(),
  icon: z.string().max(50).optional(),
  createdAt: timestamp.optional(),
  updatedAt: timestamp.optional(),
};
const shown = {
  hidden: z.boolean().optional(),
  noIndex: z.boolean().optional(),
  noRobotsIndex: z.boolean().optional(),
};
export const variables = z.record(z.string(), z.union([z.string().max(256), z.number(), z.boolean()]));
export const reference = z.looseObject({ kind: z.string() });

const LinkPage = z.strictObject({
  ...pageBase,
  type: z.literal("link"),
  kind: z.literal("link"),
  target: reference,
  href: z.string().optional(),
  hidden: z.boolean().optional(),
});

export const JSONDocument = z.strictObject({
  object: z.literal("document"),
  data: z.looseObject({ schemaVersion: z.number().int().optional() }),
  nodes: z.array(z.looseObject({ object: z.literal("block"), type: z.string() })),
});

export const DocumentPage = z.strictObject({
  ...pageBase,
  ...shown,
  type: z.literal("document"),
  kind: z.literal("sheet"),
  urls: z.strictObject({ app: uri }),
  slug: z.string(),
  path: z.string(),
  description: z.string().optional(),
  git: blob.optional(),
  layout: z.strictObject({
    width: z.enum(["default", "wide"]),
    cover: z.boolean(),
    coverSize: z.enum(["hero", "full"]),
    title: z.boolean(),
    description: z.boolean(),
    tableOfContents: z.boolean(),
    outline: z.boolean(),
    pagination: z.boolean(),
    metadata: z.boolean(),
  }),
  cover: z
    .strictObject({ ref: reference.optional(), refDark: reference.optional(), yPos: z.number() })
    .optional(),
  variables: variables.optional(),
  documentId: z.string().optional(),
  computed: z
    .strictObject({
      type: z.string(),
      props: z.record(z.string(), z.unknown()),
      dependencies: z.record(z.string(), z.strictObject({ ref: reference, value: z.unknown() })).optional(),
    })
    .optional(),
  computedSeed: z.string().optional(),
  markdown: z.string().optional(),
  document: JSONDocument.optional(),
  get pages(): z.ZodArray<z.ZodType> {
    return z.array(z.discriminatedUnion("type", [DocumentPage, LinkPage]));
  },
});

const GroupPage = z.strictObject({
  ...pageBase,
  ...shown,
  type: z.literal("group"),
  kind: z.literal("group"),
  slug: z.string(),
  path: z.string(),
  pages: z.array(z.discriminatedUnion("type", [DocumentPage, LinkPage])),
});

const Page = z.discriminatedUnion("type", [DocumentPage, GroupPage, LinkPage]);
export const Pages = z.strictObject({ pages: z.array(Page) });
/** Of the files and reusable contents there are none: specifications make pages alone. */
export const ComputedRevision = z.strictObject({
  pages: z.array(Page).min(1),
  files: z.array(z.never()),
  reusableContents: z.array(z.never()),
});

export const ReusableContent = z.strictObject({
  id,
  title: z.string(),
  git: blob.optional(),
  document: z.string().optional(),
});

export const Revision = z
  .strictObject({
    object: z.literal("revision"),
    id,
    type: z.enum(["edits", "merge", "rollback", "update"]),
    parents: z.array(id),
    mergedFrom: ChangeRequest.optional(),
    pages: z.array(Page),
    files: z.array(File),
    reusableContents: z.array(ReusableContent),
    variables: variables.optional(),
    createdAt: timestamp,
    git: z
      .strictObject({
        oid: z.string(),
        message: z.string(),
        createdByService: z.boolean(),
        url: z.string().optional(),
        ref: z.string().optional(),
      })
      .optional(),
    urls: z.strictObject({ app: uri, published: uri.optional(), public: uri.optional() }),
  })
  .refine(({ type, mergedFrom }) => (type === "merge") === (mergedFrom !== undefined), {
    error: "a merge names its change request, and nothing else does",
    path: ["mergedFrom"],
  });

export const Pdf = z.strictObject({ url: uri });
