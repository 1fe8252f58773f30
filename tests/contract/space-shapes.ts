import { z } from "zod";
import { defaultLevel, flags, id, timestamp, User, uri } from "./basics.js";

// Spaces, collections and change requests as the contract shapes them.

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

/** Ours, beyond the interface: the state of an import by address. */
export const ContentImport = z.strictObject({
  object: z.literal("content-import"),
  id,
  state: z.enum(["pending", "in-progress", "completed", "failed"]),
  source: z.string(),
  host: z.string(),
  changeRequest: id.optional(),
  page: id.optional(),
  revision: id.optional(),
  importedResources: z.number(),
  totalResources: z.number(),
  skipped: z
    .array(z.strictObject({ reason: z.string(), count: z.number(), paths: z.array(z.string()) }))
    .optional(),
  error: z.strictObject({ message: z.string(), reason: z.string().optional() }).optional(),
  createdBy: id,
  createdAt: timestamp,
  updatedAt: timestamp,
  completedAt: timestamp.optional(),
  urls: z.strictObject({ location: uri }),
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

// Ours, beyond the interface: the templates that there are.
export const SpaceTemplate = z.strictObject({
  id,
  title: z.string(),
  subtitle: z.string(),
  emoji: z.string().max(50),
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
