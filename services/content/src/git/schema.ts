import { id, text, time, timestamp } from "@octavo/shared/contracts/fields";
import { z } from "zod";
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

export const ImportGit = z.object({
  spaceId: id,
  url: z.url({ protocol: /^https?$/ }).max(2048),
  ref: branch,
  repoCacheID: text(255).optional(),
  repoTreeURL: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .optional(),
  repoCommitURL: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .optional(),
  repoProjectDirectory: directory.optional(),
  timestamp: time.optional(),
  force: z.boolean().default(false),
  standalone: z.boolean().default(false),
  gitInfo: z
    .object({ provider: z.enum(["github", "gitlab"]).optional(), url: z.url().max(2048).optional() })
    .optional(),
});
/** What an import was asked to do, as it is kept (sealed) with its operation. */
export type ImportRequest = Omit<z.output<typeof ImportGit>, "spaceId">;

export const ReadGitInfo = z.object({ spaceId: id });

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
    error: z.string().optional(),
    revision: z.string().optional(),
    /** What the import left out: for each reason how often, and the first of the paths. */
    skipped: z
      .array(
        z.object({
          reason: z.enum(SKIP_REASONS),
          count: z.number().int(),
          /** With a line or a name behind `:` where the path alone does not tell. */
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
