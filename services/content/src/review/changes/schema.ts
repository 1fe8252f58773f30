import { id, paging } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { keptRef, PageLayout, variables } from "../../pages/schema.js";
import { ChangeRequest } from "../change-requests/schema.js";

/** A first page is short; what it does not hold is counted, and the header `link` leads on. */
const shown = { limit: z.number().int().min(0).max(1000).default(10), page: paging.page };
export const OfChangeRequest = z.object({ spaceId: id, changeRequestId: id, ...shown });
/** The flags change nothing: semantic changes carry no git metadata, and computed pages are not among them. */
export const OfRevision = z.object({
  spaceId: id,
  revisionId: id,
  metadata: z.boolean().default(true),
  computed: z.boolean().default(true),
  ...shown,
});

const was = <Value extends z.ZodType>(value: Value) =>
  z.object({ before: value.optional(), after: value.optional() }).optional();
const word = was(z.string());
const flag = was(z.boolean());
const dimensions = z.object({ width: z.number(), height: z.number() });

export const ChangedPage = z
  .object({
    id: z.string(),
    type: z.enum(["document", "group", "link", "computed"]),
    title: z.string(),
    path: z.string().optional(),
  })
  .meta({ id: "ChangedRevisionPage" });
export type ChangedPage = z.output<typeof ChangedPage>;
const ChangedFile = z
  .object({ id: z.string(), name: z.string(), contentType: z.string(), downloadURL: z.string() })
  .meta({ id: "ChangedRevisionFile" });
const ChangedReusableContent = z
  .object({ id: z.string(), title: z.string(), document: z.string().optional() })
  .meta({ id: "ChangedRevisionReusableContent" });

const cover = z.object({ ref: keptRef.optional(), refDark: keptRef.optional(), yPos: z.number() });
/** Of documents, groups and links: each has those that such a page has. */
const PageAttributes = z
  .object({
    title: word,
    description: word,
    slug: word,
    document: word,
    cover: was(cover),
    emoji: word,
    icon: word,
    layout: was(PageLayout),
    variables: was(variables),
    target: was(keptRef),
    hidden: flag,
    noIndex: flag,
    noRobotsIndex: flag,
    condition: word,
  })
  .meta({ id: "RevisionPageChangeAttributes" });
const FileAttributes = z
  .object({
    name: word,
    downloadURL: word,
    size: was(z.number()),
    contentType: word,
    dimensions: was(dimensions),
  })
  .meta({ id: "RevisionFileChangeAttributes" });
const ReusableContentAttributes = z
  .object({ title: word, document: word })
  .meta({ id: "RevisionReusableContentChangeAttributes" });

const page = ChangedPage;
const file = ChangedFile;
const reusableContent = ChangedReusableContent;
const SemanticChange = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("page_created"), page }),
    z.object({ type: z.literal("page_deleted"), page }),
    z.object({ type: z.literal("page_edited"), page, attributes: PageAttributes }),
    z.object({
      type: z.literal("page_moved"),
      page,
      parent: z.object({ before: page.optional(), after: page.optional() }),
    }),
    z.object({ type: z.literal("file_created"), file }),
    z.object({ type: z.literal("file_deleted"), file }),
    z.object({ type: z.literal("file_edited"), file, attributes: FileAttributes }),
    z.object({ type: z.literal("reusable_content_created"), reusableContent }),
    z.object({ type: z.literal("reusable_content_deleted"), reusableContent }),
    z.object({
      type: z.literal("reusable_content_edited"),
      reusableContent,
      attributes: ReusableContentAttributes,
    }),
    z.object({
      type: z.literal("variables_edited"),
      variables: z.record(z.string(), was(z.union([z.string(), z.number(), z.boolean()])).unwrap()),
    }),
  ])
  .meta({ id: "RevisionSemanticChange" });
export type SemanticChange = z.output<typeof SemanticChange>;
export type PageAttributes = z.output<typeof PageAttributes>;

/** Left out where that side has no such value. */
const side = z.unknown().optional();
const texts = z.object({ base: z.string(), primary: z.string(), own: z.string() });
const Conflict = z
  .object({
    id: z.string(),
    kind: z.enum(["page", "file", "reusable_content", "variable"]),
    title: z.string(),
    properties: z.array(z.object({ name: z.string(), base: side, primary: side, own: side })).meta({
      description:
        "The values of what both sides changed differently. Those of `document` are ids, each answered by `GET /spaces/{spaceId}/documents/{documentId}`; those of `position` name a page's parent and the page before it; those of `deleted` tell which side did.",
    }),
    blocks: z.array(texts).optional().meta({
      description:
        "Of a document in conflict: the markdown of each place that both sides changed differently.",
    }),
    missing: z.string().optional().meta({
      description:
        "The id of a page above it that the primary content deleted, so that it has no place there.",
    }),
  })
  .meta({ id: "ChangeRequestConflict" });
export type ConflictShape = z.output<typeof Conflict>;

export const SemanticChanges = z
  .object({
    mergedFrom: ChangeRequest.optional(),
    changes: z.array(SemanticChange),
    more: z.number().int().optional(),
  })
  .meta({ id: "RevisionSemanticChanges" });
/** With what is in conflict with the primary content, and no change has decided. */
export const ChangeRequestChanges = SemanticChanges.omit({ mergedFrom: true })
  .extend({ conflicts: z.array(Conflict).optional(), moreConflicts: z.number().int().optional() })
  .meta({ id: "ChangeRequestSemanticChanges" });
