import { z } from "zod";
import { defaultLevel, flags, id, timestamp, User, uri } from "./basics.js";

const gitSyncState = {
  repoName: z.string().optional(),
  installationProvider: z.enum(["github", "gitlab", "github-legacy"]).optional(),
  integration: z.string().optional(),
  url: z.string().optional(),
  updatedAt: timestamp.optional(),
};

export const GitInfo = z.strictObject({
  ...gitSyncState,
  // Ours, beyond the interface: how the latest import went.
  operation: z.looseObject({ state: z.enum(["running", "failure", "success"]) }).optional(),
});

export const Space = z.strictObject({
  object: z.literal("space"),
  id,
  title: z.string().max(50),
  emoji: z.string().max(50),
  visibility: z.enum(["public", "unlisted", "share-link", "visitor-auth", "in-collection", "private"]),
  createdAt: timestamp,
  updatedAt: timestamp,
  deletedAt: timestamp.optional(),
  editMode: z.enum(["live", "locked"]).optional(),
  urls: z.strictObject({
    location: uri,
    app: uri,
    published: uri.optional(),
    public: uri.optional(),
    icon: uri.optional(),
  }),
  organization: id,
  parent: id.optional(),
  language: z.string().optional(),
  gitSync: z.strictObject(gitSyncState).optional(),
  visitorAuth: z.looseObject({ backend: z.enum(["custom", "integration"]) }).optional(),
  revision: id,
  defaultLevel,
  comments: z.number().int(),
  changeRequests: z.number().int(),
  changeRequestsOpen: z.number().int(),
  changeRequestsDraft: z.number().int(),
  permissions: flags(
    ...(["view", "access", "admin", "viewInviteLinks", "edit", "triggerGitSync", "comment"] as const),
    ...(["merge", "review", "installIntegration"] as const),
  ),
});

export const Collection = z.strictObject({
  object: z.literal("collection"),
  id,
  title: z.string().max(50),
  description: z.string().max(100).optional(),
  organization: id,
  parent: id.optional(),
  defaultLevel,
  urls: z.strictObject({ location: uri, app: uri }),
  permissions: flags("view", "admin", "viewInviteLinks", "create"),
});

export const ChangeRequest = z.strictObject({
  object: z.literal("change-request"),
  id,
  number: z.number().int().min(1),
  status: z.enum(["draft", "open", "archived", "merged"]),
  subject: z.string().max(100),
  createdBy: User,
  createdAt: timestamp,
  updatedAt: timestamp,
  revision: id,
  revisionInitial: id,
  revisionMergedAncestor: id.optional(),
  revisionMerged: id.optional(),
  comments: z.number().int(),
  outdated: z.boolean(),
  urls: z.strictObject({ app: uri, location: uri }),
  // Ours, beyond the interface.
  space: id,
});

const asked = {
  object: z.literal("change-request-requested-reviewer"),
  revision: id,
  requestedBy: User,
  createdAt: timestamp,
};
export const RequestedReviewer = z.discriminatedUnion("kind", [
  z.strictObject({ ...asked, kind: z.literal("user"), user: User }),
  z.strictObject({
    ...asked,
    kind: z.literal("team"),
    team: z.strictObject({ object: z.literal("team"), id }),
  }),
]);

export const Contributor = z.strictObject({
  user: User,
  count: z.number().int().min(1),
  updatedAt: timestamp,
  actionType: z.enum(["edit", "comment"]),
});
const remark = {
  id,
  postedBy: User,
  postedAt: timestamp,
  editedAt: timestamp.optional(),
  reactions: z.array(
    z.strictObject({
      emoji: z.string(),
      count: z.number().int(),
      users: z.array(z.strictObject({ user: User, reactedAt: timestamp })),
    }),
  ),
  body: z.union([
    z.strictObject({ markdown: z.string() }),
    z.strictObject({ document: z.looseObject({ object: z.literal("document") }) }),
  ]),
  urls: z.strictObject({ location: uri }),
  permissions: flags("view", "edit", "reply", "delete"),
};

const openComment = z.strictObject({
  object: z.literal("comment"),
  ...remark,
  replies: z.number().int(),
  status: z.literal("open"),
  target: z.strictObject({
    node: z.strictObject({ id: z.string(), preview: z.string().optional() }).optional(),
    tableCell: z.strictObject({ record: z.string(), definition: z.string() }).optional(),
    changeRequest: id.optional(),
    review: id.optional(),
    page: z
      .strictObject({
        id,
        title: z.string().min(1),
        emoji: z.string().max(50).optional(),
        icon: z.string().max(50).optional(),
        createdAt: timestamp.optional(),
        updatedAt: timestamp.optional(),
        path: z.string(),
        outdated: z.boolean(),
      })
      .optional(),
    space: id,
    revision: id,
  }),
});
export const Comment = z.discriminatedUnion("status", [
  openComment,
  openComment.extend({ status: z.literal("resolved"), resolvedAt: timestamp, resolvedBy: User }),
]);

export const Review = z.strictObject({
  object: z.literal("change-request-review"),
  id,
  revision: id,
  reviewer: User,
  requestedBy: User.optional(),
  status: z.enum(["changes-requested", "approved"]),
  outdated: z.boolean(),
  comment: Comment.optional(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export const CommentReply = z.strictObject({ object: z.literal("comment-reply"), ...remark });

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
const variables = z.record(z.string(), z.union([z.string().max(256), z.number(), z.boolean()]));
const reference = z.looseObject({ kind: z.string() });

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

const was = (value: z.ZodType) =>
  z.strictObject({ before: value.optional(), after: value.optional() }).optional();
const word = was(z.string());
const flag = was(z.boolean());
const ChangedPage = z.strictObject({
  id,
  type: z.enum(["document", "group", "link", "computed"]),
  title: z.string(),
  path: z.string().optional(),
});
const ChangedFile = z.strictObject({ id, name: z.string(), contentType: z.string(), downloadURL: uri });
const ChangedReusable = z.strictObject({ id, title: z.string(), document: z.string().optional() });
const things = { page: ChangedPage, file: ChangedFile, reusable_content: ChangedReusable };
const came = Object.entries(things).flatMap(([thing, shape]) =>
  ["created", "deleted"].map((done) =>
    z.strictObject({
      type: z.literal(`${thing}_${done}`),
      [thing === "reusable_content" ? "reusableContent" : thing]: shape,
    }),
  ),
);

export const SemanticChanges = z.strictObject({
  mergedFrom: ChangeRequest.optional(),
  more: z.number().int().min(1).optional(),
  changes: z.array(
    z.union([
      ...came,
      z.strictObject({
        type: z.literal("page_edited"),
        page: ChangedPage,
        attributes: z.strictObject({
          ...{
            title: word,
            description: word,
            slug: word,
            document: word,
            emoji: word,
            layout: was(z.object()),
          },
          ...{ cover: was(z.object()), variables: was(variables), target: was(reference) },
          // Ours, beyond the interface.
          ...{ icon: word, hidden: flag, noIndex: flag, noRobotsIndex: flag, condition: word },
        }),
      }),
      z.strictObject({
        type: z.literal("page_moved"),
        page: ChangedPage,
        parent: z.strictObject({ before: ChangedPage.optional(), after: ChangedPage.optional() }),
      }),
      z.strictObject({
        type: z.literal("file_edited"),
        file: ChangedFile,
        attributes: z.strictObject({
          ...{ name: word, downloadURL: word, size: was(z.number()), contentType: word },
          dimensions: was(z.strictObject({ width: z.number(), height: z.number() })),
        }),
      }),
      z.strictObject({
        type: z.literal("reusable_content_edited"),
        reusableContent: ChangedReusable,
        attributes: z.strictObject({ title: word, document: word }),
      }),
      z.strictObject({
        type: z.literal("variables_edited"),
        variables: z.record(z.string(), was(z.union([z.string(), z.number(), z.boolean()])).unwrap()),
      }),
    ]),
  ),
});

const section = z.strictObject({
  id: z.string(),
  title: z.string(),
  path: z.string(),
  body: z.string(),
  urls: z.strictObject({ app: uri }),
});
export const PageResult = z.strictObject({
  id,
  title: z.string(),
  path: z.string(),
  sections: z.array(section).optional(),
  urls: z.strictObject({ app: uri }),
});
export const SpaceResult = z.strictObject({ id, title: z.string(), pages: z.array(PageResult) });
