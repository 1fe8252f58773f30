import { z } from "zod";
import { defaultLevel, language, permissions } from "../fields.js";

/**
 * Who may see content: anyone (`public` is indexed by search engines, `unlisted` is not), anyone with the secret
 * in the address, visitors with a JWT, whoever may see the collection around it, or members with access.
 */
export const contentVisibility = z.enum([
  "public",
  "unlisted",
  "share-link",
  "visitor-auth",
  "in-collection",
  "private",
]);

export const editMode = z.enum(["live", "locked"]);

const gitSync = z.object({
  repoName: z.string().optional(),
  installationProvider: z.enum(["github", "gitlab", "github-legacy"]).optional(),
  integration: z.string().optional(),
  url: z.string().optional(),
  updatedAt: z.string().optional(),
});

const visitorAuth = z.union([
  z.object({ backend: z.literal("custom") }),
  z.object({ backend: z.literal("integration"), integration: z.string() }),
]);

/** A space as every service shows it. `permissions` are the caller's. */
export const space = z
  .object({
    object: z.literal("space"),
    id: z.string(),
    title: z.string(),
    emoji: z.string(),
    visibility: contentVisibility,
    createdAt: z.string(),
    updatedAt: z.string(),
    /** Set while the space is in the trash. */
    deletedAt: z.string().optional(),
    editMode: editMode.optional(),
    urls: z.object({
      location: z.string(),
      app: z.string(),
      published: z.string().optional(),
      public: z.string().optional(),
      icon: z.string().optional(),
    }),
    organization: z.string(),
    /** The collection that it lies in. */
    parent: z.string().optional(),
    language: language.optional(),
    gitSync: gitSync.optional(),
    visitorAuth: visitorAuth.optional(),
    /** The current revision of the primary content. */
    revision: z.string(),
    defaultLevel,
    /** How many comments are open. */
    comments: z.number().int(),
    changeRequests: z.number().int(),
    changeRequestsOpen: z.number().int(),
    changeRequestsDraft: z.number().int(),
    permissions: permissions(
      "view",
      "access",
      "admin",
      "viewInviteLinks",
      "edit",
      "triggerGitSync",
      "comment",
      "merge",
      "review",
      "installIntegration",
    ),
  })
  .meta({ id: "Space" });
export type Space = z.output<typeof space>;
