import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Caller } from "@octavo/shared/contracts/callers";
import type { Role } from "@octavo/shared/contracts/roles";
import { transact } from "@octavo/shared/database/transact";
import { createEgress } from "@octavo/shared/egress/client";
import { newId } from "@octavo/shared/ids";
import { createLog } from "@octavo/shared/log";
import { createVault } from "@octavo/shared/secrets";
import { testSchema } from "@octavo/shared/testing/schema";
import { createUrls } from "@octavo/shared/urls";
import type { Updateable } from "kysely";
import { createContentCache } from "../cache.js";
import type { Database } from "../db/database.js";
import { migrations } from "../migrations.js";
import { commit } from "../revisions/commit.js";
import { router } from "../router.js";
import { localStorage } from "../storage/local-storage.js";
import { type Ctx, createCaller } from "../trpc.js";
import { createWork } from "../work/work.js";
import { orgsInMemory } from "./orgs.js";

interface As {
  id?: string;
  teams?: string[];
}

/** The content service on a schema of its own: callers in any role, builders of rows, and what was emitted. */
export async function contentTest({ long }: { long?: number } = {}) {
  const schema = await testSchema<Database>({ service: "content", migrations });
  const folder = await mkdtemp(join(tmpdir(), "octavo-content-"));
  const storageFolder = join(folder, "files");
  const directory = orgsInMemory();
  const base = {
    orgs: directory.orgs,
    db: schema.db,
    log: createLog({ service: "content", level: "silent" }),
    urls: createUrls({ base: "http://octavo.test", app: "http://app.test", sites: "http://sites.test" }),
    egress: createEgress({ allow: ["127.0.0.0/8"] }),
    vault: createVault(Buffer.alloc(32, 7).toString("base64")),
    storage: localStorage(storageFolder),
    workFolder: join(folder, "git"),
    downloadKey: "a key of the tests",
    cache: createContentCache(),
    work: createWork(long === undefined ? {} : { long }),
    clock: () => new Date(),
  };
  const context = (caller: Caller): Ctx => ({ ...base, caller, requestId: newId(), reply: { headers: {} } });
  const user = (
    organizations: Record<string, Role | null>,
    { id = "user-1", teams = [] }: As = {},
  ): Caller => ({
    kind: "user",
    id,
    name: `Name of ${id}`,
    organizations,
    teams,
    token: "token-1",
  });
  const ctx = context({ kind: "service", service: "content" });

  /** A space with an empty first revision. */
  async function space(values: Updateable<Database["space"]> = {}): Promise<string> {
    const id = values.id ?? newId();
    await transact(ctx, async (ctx) => {
      await ctx.db
        .insertInto("space")
        .values({ organization: "acme", position: "a0", revision: "", created_by: "someone", ...values, id })
        .execute();
      await ctx.db
        .insertInto("branch")
        .values({ id, space: id, seq: 0, revision: "", base_seq: null })
        .execute();
      const head = { id, seq: 0, revision: "", base_seq: null };
      const first = await commit(ctx, { space: id, head, type: "edits", changes: { put: [], remove: [] } });
      await ctx.db.updateTable("space").set({ revision: first.id }).where("id", "=", id).execute();
    });
    return id;
  }

  /** The payloads of the events with a name that were emitted so far, oldest first. */
  async function emitted(name: string): Promise<unknown[]> {
    const rows = await schema.db
      .selectFrom("outbox")
      .select("body")
      .where("name", "=", name)
      .orderBy("position")
      .execute();
    return rows.map(({ body }) => (body as { payload: unknown }).payload);
  }

  return {
    ...schema,
    /** What every context holds besides what comes from the request. */
    base,
    ctx,
    storageFolder,
    context,
    user,
    /** The operations as a user with these roles sees them. */
    as: (organizations: Record<string, Role | null>, who?: As) =>
      createCaller(router)(context(user(organizations, who))),
    space,
    /** Who there is, for what asks orgs. */
    directory,
    emitted,
    drop: async () => {
      await schema.drop();
      await base.work.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
