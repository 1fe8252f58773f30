import { id, text, timestamp } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { ExportGit } from "../schema.js";

const { url, ref, repoTreeURL, repoCommitURL, repoProjectDirectory, gitInfo } = ExportGit.shape;

/** The side that the other one takes everything from when they are put in step. */
const priority = z.enum(["repository", "space"]);

export const UpdateSync = z.object({
  spaceId: id,
  url,
  ref,
  repoProjectDirectory,
  repoTreeURL,
  repoCommitURL,
  gitInfo,
  priority: priority
    .optional()
    .describe(
      "By default the repository; when it is empty, the space. A space is emptied by an empty repository only when `repository` is named.",
    ),
  /** Signs the requests of the webhook; made when it is absent. */
  secret: text(200, 16).optional(),
});
export const ReadSync = z.object({ spaceId: id });

/** What is kept sealed: the address with its credentials, how its commits are shown, and the side that was named. */
export type SyncSettings = Pick<
  z.output<typeof UpdateSync>,
  "url" | "ref" | "repoProjectDirectory" | "repoTreeURL" | "repoCommitURL" | "gitInfo" | "priority"
>;

export const Sync = z
  .object({
    /** Without credentials. */
    url: z.string(),
    ref: z.string(),
    repoProjectDirectory: z.string(),
    /** Where the host of the repository sends its webhooks. */
    webhookURL: z.string(),
    /** Shown once, to who sets it. */
    secret: z.string().optional(),
    /** When the branch was looked at last. */
    checkedAt: timestamp.optional(),
    /** Why nothing is done for now: `permission`, who set it may not any more. */
    paused: z.enum(["permission"]).optional(),
    /** The change request that has what both sides changed differently; the oldest of several. */
    conflict: z.string().optional(),
  })
  .meta({ id: "GitSync" });
