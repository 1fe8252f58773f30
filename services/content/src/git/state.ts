import { type Insertable, type Selectable, sql } from "kysely";
import type { Database } from "../db/database.js";
import type { GitInfo } from "../db/tables/spaces.js";
import type { GitCommit } from "../db/tables/store.js";
import type { Ctx } from "../trpc.js";
import type { SyncRequest } from "./schema.js";
import type { Skipped } from "./skipped.js";

export type State = Selectable<Database["git_state"]>;

/** What stands for the commit of a branch that does not exist, as in git. */
export const NO_COMMIT = "0".repeat(40);

/** What the space and a branch had in common when they were last the same; undefined before that. */
export const stateOf = ({ db }: Ctx, space: string): Promise<State | undefined> =>
  db.selectFrom("git_state").selectAll().where("space", "=", space).executeTakeFirst();

/** An import that the space is still as it came by: what was read of the branch, and what was left out. */
export interface LastImport extends State {
  revision: string;
  skipped: Skipped[] | null;
}

/** The import of a project directory by which the space got what it shows; undefined when it was changed since then. */
export async function lastImportOf(
  { db }: Ctx,
  space: string,
  directory: string,
): Promise<LastImport | undefined> {
  const { rows } = await sql<LastImport>`select s.*, r.id as revision, o.skipped
    from git_state s
    join branch b on b.id = s.space and b.seq = s.seq
    join revision r on r.id = b.revision and r.git->>'oid' = s.commit
    join git_operation o on o.space = s.space and o.revision = r.id
    where s.space = ${space} and s.directory = ${directory} and o.state = 'success' and o.direction = 'import'
    order by o.id desc limit 1`.execute(db);
  return rows[0];
}

/** Notes that the space and a branch are the same. */
export const keepState = ({ db }: Ctx, state: Insertable<Database["git_state"]>) =>
  db
    .insertInto("git_state")
    .values(state)
    .onConflict((conflict) => conflict.column("space").doUpdateSet(state))
    .execute();

function withoutCredentials(address: string): string {
  const url = new URL(address);
  url.username = "";
  url.password = "";
  return url.href;
}

/** The commit as revisions show it. */
export const commitInfo = (
  commit: { oid: string; message: string; createdByService: boolean },
  { repoCommitURL, ref }: Pick<SyncRequest, "repoCommitURL" | "ref">,
): GitCommit => ({
  ...commit,
  url: repoCommitURL && `${withoutCredentials(repoCommitURL).replace(/\/+$/, "")}/${commit.oid}`,
  ref,
});

/** What the space shows of the repository, without the credentials of its address. */
export function gitInfo(
  request: SyncRequest,
  commit: string | undefined,
  now: Date,
  tree: GitInfo["tree"],
): GitInfo {
  const { url, gitInfo, repoTreeURL, timestamp, repoProjectDirectory: directory = "" } = request;
  const plain = withoutCredentials(url);
  return {
    // The name of a bare repository ends with `.git`; that of another one is its folder, with `.git` inside.
    repoName: new URL(plain).pathname.replace(/^\/+|(?:\/*\.git)?\/*$/g, ""),
    installationProvider: gitInfo?.provider,
    url: withoutCredentials(gitInfo?.url ?? repoTreeURL ?? plain),
    updatedAt: now.toISOString(),
    commit,
    directory,
    tree,
    timestamp,
  };
}

/** The name of the clone that an operation keeps for the next one: no other organization's. */
export const cacheOf = (organization: string, space: string, { repoCacheID }: SyncRequest): string =>
  JSON.stringify([organization, repoCacheID === undefined ? { space } : { repoCacheID }]);
