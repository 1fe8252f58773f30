import { id, text, time, timestamp } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { FAILURE_REASONS } from "./failure.js";
import { isRefName } from "./ref-name.js";
import { SKIP_REASONS } from "./skipped.js";

const branch = text(255, 1)
  .regex(/^refs\/(heads|pull|merge-requests|tags)\//, {
    message: "must be a full ref such as refs/heads/main",
    abort: true,
  })
  .refine(isRefName, "must be a name that git allows for a ref");
/** As git spells it: `./docs/` is `docs`, and `.` the whole repository. */
const directory = text(1024)
  .regex(/^(?!\/)(?!.*(^|\/)\.\.(\/|$))/, "must be a relative path inside the repository")
  .overwrite((path) =>
    path
      .split("/")
      .filter((part) => part !== "" && part !== ".")
      .join("/"),
  );

const address = z.url({ protocol: /^https?$/ }).max(2048);

/** Which repository, and what of it. */
const remote = {
  url: address,
  repoCacheID: text(255).optional(),
  repoTreeURL: address.optional(),
  repoCommitURL: address.optional(),
  repoProjectDirectory: directory.optional(),
  timestamp: time.optional(),
  force: z.boolean().default(false),
  gitInfo: z
    .object({ provider: z.enum(["github", "gitlab"]).optional(), url: z.url().max(2048).optional() })
    .optional(),
};

export const ImportGit = z.object({
  spaceId: id,
  ...remote,
  ref: branch,
  standalone: z.boolean().default(false),
});
export const ExportGit = z.object({
  spaceId: id,
  ...remote,
  ref: branch.refine((ref) => ref.startsWith("refs/heads/"), "must be a branch, such as refs/heads/main"),
  commitMessage: text(10_000, 1),
});
/** What an import was asked to do, as it is kept (sealed) with its operation. */
export type ImportRequest = Omit<z.output<typeof ImportGit>, "spaceId"> & {
  /** An import of a sync after its first one: a repository that is empty by now empties no space. */
  continues?: boolean;
};
/** What an export was asked to do, as it is kept (sealed) with its operation. */
export type ExportRequest = Omit<z.output<typeof ExportGit>, "spaceId"> & {
  /** Names the settings of a sync whose first export this is. */
  firstOf?: string;
};
/** What both name of a repository. */
export type SyncRequest = Omit<ExportRequest, "commitMessage" | "firstOf">;

export const ReadGitInfo = z.object({ spaceId: id });
export const EndGitSync = z.object({ spaceId: id });

const Operation = z
  .object({
    state: z.enum(["running", "failure", "success"]),
    direction: z.enum(["import", "export"]),
    stage: z.enum(["repo_fetch", "config_check", "content_process", "finalize"]),
    dispatchedTasks: z.number().int(),
    completedTasks: z.number().int(),
    startedAt: timestamp,
    updatedAt: timestamp,
    completedAt: timestamp.optional(),
    /** Why it failed, or while it is running, why its last try did. */
    error: z.string().optional(),
    reason: z.enum(FAILURE_REASONS).optional(),
    revision: z.string().optional(),
    /** What the import left out: for each reason how often, and the first of the paths. */
    skipped: z
      .array(
        z.object({
          reason: z.enum(SKIP_REASONS),
          count: z.number().int(),
          /** With a line or a name behind `:` where the path alone is ambiguous. */
          paths: z.array(z.string()),
        }),
      )
      .optional(),
  })
  .meta({ id: "GitSyncOperation" });

/** The latest operation comes with the state, so that a client can see how an import went. */
export const GitInfo = z
  .object({
    repoName: z.string().optional(),
    installationProvider: z.enum(["github", "gitlab", "github-legacy"]).optional(),
    integration: z.string().optional(),
    url: z.string().optional(),
    updatedAt: timestamp.optional(),
    operation: Operation.optional(),
  })
  .meta({ id: "GitSyncState" });
