import type { Insertable, Selectable } from "kysely";
import type { Database } from "../db/database.js";
import type { GitInfo } from "../db/tables/spaces.js";
import type { GitCommit } from "../db/tables/store.js";
import type { Ctx } from "../trpc.js";
import type { SyncRequest } from "./schema.js";

export type State = Selectable<Database["git_state"]>;

/** What the space and a branch had in common when they were last the same; undefined before that. */
export const stateOf = ({ db }: Ctx, space: string): Promise<State | undefined> =>
  db.selectFrom("git_state").selectAll().where("space", "=", space).executeTakeFirst();

/** Notes that the space and a branch are the same. */
export const keepState = ({ db }: Ctx, state: Insertable<Database["git_state"]>) =>
  db
    .insertInto("git_state")
    .values(state)
    .onConflict((conflict) => conflict.column("space").doUpdateSet(state))
    .execute();

/** The commit as revisions show it. */
export const commitInfo = (
  commit: { oid: string; message: string; createdByService: boolean },
  { repoCommitURL, ref }: Pick<SyncRequest, "repoCommitURL" | "ref">,
): GitCommit => ({
  ...commit,
  url: repoCommitURL && `${repoCommitURL.replace(/\/+$/, "")}/${commit.oid}`,
  ref,
});

/** What the space shows of the repository, without the credentials of its address. */
export function gitInfo(request: SyncRequest, commit: string, now: Date): GitInfo {
  const { url, gitInfo, repoTreeURL, timestamp, repoProjectDirectory: directory = "" } = request;
  const plain = new URL(url);
  plain.username = "";
  plain.password = "";
  return {
    // The name of a bare repository ends with `.git`; that of another one is its folder, with `.git` inside.
    repoName: plain.pathname.replace(/^\/+|(?:\/*\.git)?\/*$/g, ""),
    installationProvider: gitInfo?.provider,
    url: gitInfo?.url ?? repoTreeURL ?? plain.href,
    updatedAt: now.toISOString(),
    commit,
    directory,
    timestamp,
  };
}

/** The name of the clone that an operation keeps for the next one: no other organization's. */
export const cacheOf = (organization: string, space: string, { repoCacheID }: SyncRequest): string =>
  JSON.stringify([organization, repoCacheID === undefined ? { space } : { repoCacheID }]);
