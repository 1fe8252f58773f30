import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCoalescer } from "@octavo/shared/coalesce";
import { transact } from "@octavo/shared/database/transact";
import { createEgress } from "@octavo/shared/egress/client";
import { newId } from "@octavo/shared/ids";
import type { JobType } from "@octavo/shared/jobs/define";
import { startJobs } from "@octavo/shared/jobs/start";
import { type Roles, serviceTest, userWith } from "@octavo/shared/testing/service";
import { surroundingsOf } from "@octavo/shared/testing/surroundings";
import type { Updateable } from "kysely";
import { createContentCache } from "../cache.js";
import type { Database } from "../db/database.js";
import { jobHandlers } from "../jobs.js";
import { migrations } from "../migrations.js";
import { createSpecReader } from "../openapi-documents/reader.js";
import { createPresses } from "../press/presses.js";
import { commit } from "../revisions/commit.js";
import { router } from "../router.js";
import { localStorage } from "../storage/local-storage.js";
import { type Ctx, createCaller } from "../trpc.js";
import { createWork } from "../work/threads.js";
import { createWholeReads } from "../work/whole-reads.js";
import { orgsInMemory } from "./orgs.js";

interface As {
  id?: string;
  teams?: string[];
}

const operations = createCaller(router);

/** The content service with storage in a temporary folder, above organizations in memory, with builders of spaces. */
export async function contentTest({ long }: { long?: number } = {}) {
  const around = surroundingsOf("content", { app: "http://app.test", sites: "http://sites.test" });
  const folder = await mkdtemp(join(tmpdir(), "octavo-content-"));
  const storageFolder = join(folder, "files");
  const directory = orgsInMemory();
  const work = createWork(long === undefined ? {} : { long });
  const specReader = createSpecReader();
  const presses = createPresses({ folder: join(folder, "pdf") });
  const service = await serviceTest<Database, Ctx, ReturnType<typeof operations>>({
    around,
    migrations,
    operations,
    resources: {
      orgs: directory.orgs,
      egress: createEgress({ allow: ["127.0.0.0/8"] }),
      vault: around.vault,
      storage: localStorage(storageFolder),
      workFolder: join(folder, "git"),
      downloadKey: "a key of the tests",
      cache: createContentCache(),
      coalesce: createCoalescer(),
      wholeReads: createWholeReads(),
      work,
      specReader,
      keptSpecVersions: 100,
      presses,
      translator: undefined,
    },
  });
  service.atEnd(async () => {
    await work.close();
    await specReader.close();
    await presses.close();
    await rm(folder, { recursive: true, force: true });
  });
  const { ctx } = service;
  const user = (organizations: Roles, { id = "user-1", teams = [] }: As = {}) =>
    userWith(organizations, { id, teams, token: "token-1" });

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

  /** Works on jobs of the service, all or those of one kind, until the end or until it is stopped. */
  async function doJobs(only?: JobType) {
    const { url: databaseUrl, schema, db, log } = service;
    const inBackground = (part: object): Ctx => service.context(service.self, part);
    const chosen = jobHandlers.filter(({ job }) => only === undefined || job.name === only.name);
    const options = { databaseUrl, schema, db, log, context: inBackground };
    const jobs = await startJobs({ ...options, jobHandlers: chosen });
    service.atEnd(jobs.stop);
    return jobs;
  }

  return {
    ...service,
    storageFolder,
    doJobs,
    user,
    /** The operations as a user with these roles sees them. */
    as: (organizations: Roles, who?: As) => service.call(user(organizations, who)),
    space,
    /** Who there is, for what asks orgs. */
    directory,
    /** The payloads of the events with a name that were emitted so far, oldest first. */
    emitted: async (name: string): Promise<unknown[]> => {
      const own = service.db.selectFrom("outbox").select("body").where("name", "=", name);
      const rows = await own.orderBy("position").execute();
      return rows.map(({ body }) => (body as { payload: unknown }).payload);
    },
    drop: service.end,
  };
}
