import type { Ref } from "@octavo/markdown/document/refs";
import { id, listOf, paging, segment, text, timestamp } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { JSONDocument } from "../documents/document-schema.js";

/** A reference as content keeps it: of any kind. That of the contracts is one that a client may send. */
export const keptRef: z.ZodType<Ref> = z.looseObject({ kind: z.string() });
export const variables = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
const flags = {
  metadata: z.boolean().default(true),
  computed: z
    .boolean()
    .default(true)
    .describe("Whether computed pages are returned as the pages that they make, or as they are declared."),
};
/** Words, not booleans: the third value leaves no other way in a query. */
const evaluated = z.enum(["true", "false", "deterministic-only"]).default("false");
export type Evaluated = z.output<typeof evaluated>;
const body = { format: z.enum(["document", "markdown"]).default("markdown"), evaluated };

const GitBlob = z.object({ oid: z.string(), path: z.string() });
const GitCommit = z.object({
  oid: z.string(),
  message: z.string(),
  createdByService: z.boolean(),
  url: z.string().optional(),
  ref: z.string().optional(),
});

export const PageLayout = z
  .object({
    width: z.enum(["default", "wide"]),
    cover: z.boolean(),
    coverSize: z.enum(["hero", "full"]),
    title: z.boolean(),
    description: z.boolean(),
    tableOfContents: z.boolean(),
    outline: z.boolean(),
    pagination: z.boolean(),
    metadata: z.boolean(),
  })
  .meta({ id: "RevisionPageLayoutOptions" });

const base = {
  id: z.string(),
  title: z.string(),
  emoji: z.string().optional(),
  icon: z.string().optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
};

const documentFields = {
  ...base,
  type: z.literal("document"),
  kind: z.literal("sheet"),
  urls: z.object({ app: z.string() }),
  slug: z.string(),
  path: z.string(),
  description: z.string().optional(),
  git: GitBlob.optional(),
  layout: PageLayout,
  cover: z.object({ ref: keptRef.optional(), refDark: keptRef.optional(), yPos: z.number() }).optional(),
  variables: variables.optional(),
  hidden: z.boolean().optional(),
  noIndex: z.boolean().optional(),
  noRobotsIndex: z.boolean().optional(),
  documentId: z.string().optional(),
  /** What makes its text, in place of a document of its own. */
  computed: z.looseObject({ type: z.string() }).optional(),
  computedSeed: z.string().optional(),
  markdown: z.string().optional(),
  document: JSONDocument.optional(),
};
const groupFields = {
  ...base,
  type: z.literal("group"),
  kind: z.literal("group"),
  slug: z.string(),
  path: z.string(),
  hidden: z.boolean().optional(),
  noIndex: z.boolean().optional(),
  noRobotsIndex: z.boolean().optional(),
};

const LinkPage = z
  .object({
    ...base,
    type: z.literal("link"),
    kind: z.literal("link"),
    target: keptRef,
    href: z.string().optional(),
    hidden: z.boolean().optional(),
  })
  .meta({ id: "RevisionPageLink" });

const ComputedPage = z
  .object({ ...base, type: z.literal("computed"), computed: z.looseObject({ type: z.string() }) })
  .meta({ id: "RevisionPageComputed" });

type Fields<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;
/** The wire shape of a page; `pages` nest. */
export type PageShape =
  | (Fields<typeof documentFields> & { pages: PageShape[] })
  | (Fields<typeof groupFields> & { pages: PageShape[] })
  | z.output<typeof LinkPage>
  | z.output<typeof ComputedPage>;
type Nested = z.ZodArray<z.ZodType<PageShape>>;

const DocumentPage = z
  .object({
    ...documentFields,
    get pages(): Nested {
      return z.array(Page);
    },
  })
  .meta({ id: "RevisionPageDocument" });
const GroupPage = z
  .object({
    ...groupFields,
    get pages(): Nested {
      return z.array(Page);
    },
  })
  .meta({ id: "RevisionPageGroup" });
export const PageAtPath = z.union([DocumentPage, GroupPage]).meta({ id: "RevisionPageAtPath" });
export const Page: z.ZodType<PageShape> = z
  .discriminatedUnion("type", [DocumentPage, GroupPage, LinkPage, ComputedPage])
  .meta({ id: "RevisionPage" });

export const File = z
  .object({
    id: z.string(),
    name: z.string(),
    contentType: z.string(),
    downloadURL: z.string(),
    size: z.number(),
    dimensions: z.object({ width: z.number(), height: z.number() }).optional(),
    git: GitBlob.optional(),
  })
  .meta({ id: "RevisionFile" });

export const ReusableContent = z
  .object({
    id: z.string(),
    title: z.string(),
    git: GitBlob.optional(),
    document: z.string().optional(),
  })
  .meta({ id: "RevisionReusableContent" });

export const Revision = z
  .object({
    object: z.literal("revision"),
    id: z.string(),
    parents: z.array(z.string()),
    type: z.enum(["edits", "merge", "update", "rollback"]),
    mergedFrom: z.looseObject({ object: z.literal("change-request") }).optional(),
    createdAt: timestamp,
    pages: z.array(Page),
    files: z.array(File),
    reusableContents: z.array(ReusableContent),
    variables: variables.optional(),
    git: GitCommit.optional(),
    urls: z.object({ app: z.string(), published: z.string().optional(), public: z.string().optional() }),
  })
  .meta({ id: "Revision" });

/** What names the content; which of the ids there are depends on where the routes are mounted. */
const target = { spaceId: id, changeRequestId: id.optional(), revisionId: id.optional() };

export const ReadRevision = z.object({ ...target, ...flags });
export const ListPages = z.object({ ...target, ...flags });
export const Pages = z.object({ pages: z.array(Page) }).meta({ id: "RevisionPages" });
export const GetPage = z.object({ ...target, ...flags, ...body, pageId: id });
export const GetPageAtPath = z.object({ ...target, ...flags, ...body, pagePath: text(2048, 1) });
export const ListFiles = z.object({ ...target, ...flags, ...paging });
export const Files = listOf(File);
export const GetFile = z.object({ ...target, ...flags, fileId: segment });
export const GetPageDocument = z.object({ ...target, evaluated, pageId: id });
export const GetReusableContent = z.object({ ...target, ...flags, reusableContentId: id });
export const GetReusableContentDocument = z.object({ ...target, evaluated, reusableContentId: id });
