import { SpacePurged } from "@octavo/shared/contracts/events/content";
import { newId } from "@octavo/shared/ids";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { jobCounts } from "@octavo/shared/jobs/state";
import { emitted } from "@octavo/shared/testing/emitted";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { router } from "../../router.js";
import { contentTest } from "../../testing/content.js";
import { createCaller } from "../../trpc.js";
import { dependentsOfSpaces } from "./dependents.js";
import { purgeAllDue } from "./jobs.js";
import { dueSpaces, purge } from "./purge.js";

const t = await contentTest();
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(t.drop);
const admin = t.as({ acme: "admin" });

const HOUR_MS = 3_600_000;
const later = (hours: number) => () => new Date(Date.now() + hours * HOUR_MS);
/** The service itself, so many hours from now. */
const serviceIn = (hours: number) => ({ ...t.ctx, clock: later(hours) });
/** An administrator's operations, so many hours from now. */
const adminIn = (hours: number) =>
  createCaller(router)({ ...t.context(t.user({ acme: "admin" })), clock: later(hours) });
const WEEK = 7 * 24;

const base64 = (text: string) => Buffer.from(text).toString("base64");

/** A space with something of everything: pages and files, history, change requests, grants, sites, a git operation. */
async function furnished() {
  const spaceId = await t.space({ title: "Handbook" });
  const edit = async (markdown: string, merge: boolean) => {
    const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
    const files = [{ name: "file.txt", base64: base64(`${markdown} in ${spaceId}`) }];
    const pages = Array.from({ length: 5 }, (_, at) => ({
      operation: "insert_page" as const,
      document: { markdown: `# ${markdown} ${at}\n` },
    }));
    const changes = [...pages, { operation: "insert_files" as const, files }];
    await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
    if (merge) await admin.changeRequests.merge({ spaceId, changeRequestId });
    return changeRequestId;
  };
  const changeRequests = [await edit("One", true), await edit("Two", true), await edit("Three", false)];
  const user = newId();
  t.directory.member("acme", { user, role: "read", teams: [] });
  const at = { spaceId };
  await admin.spaceGrants.invite({ ...at, users: [user], role: "edit" });
  await t.db
    .insertInto("audience")
    .values({ site: newId(), space: spaceId, visibility: "public", url: null })
    .execute();
  const operation = {
    id: newId(),
    space: spaceId,
    direction: "import" as const,
    request: "",
    created_by: "ada",
  };
  await t.db.insertInto("git_operation").values(operation).execute();
  return { spaceId, changeRequests };
}

/** All tables but the ones of events, which forget by themselves. */
async function tables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()
      and tablename not in ('outbox', 'inbox', 'event_cursor') order by 1`.execute(t.db);
  return rows.map(({ name }) => name);
}

/** How many rows of which tables mention one of the ids. */
async function mentions(ids: string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of await tables()) {
    const { rows } = await sql<{
      count: number;
    }>`select count(*)::int as count from ${sql.table(table)} as row
      where row::text like any(${ids.map((id) => `%${id}%`)})`.execute(t.db);
    if (rows[0]!.count > 0) counts[table] = rows[0]!.count;
  }
  return counts;
}

const purged = async (space: string) =>
  (await emitted(t, SpacePurged)).filter((event) => event.space === space);

test("a space comes back until the last of its seven days is over, and not after", async () => {
  const spaceId = await t.space({ title: "Handbook" });
  await admin.spaces.remove({ spaceId });
  const almost = adminIn(WEEK - 1);
  expect(await almost.spaces.get({ spaceId })).toMatchObject({ deletedAt: expect.any(String) });
  expect(await almost.spaces.restore({ spaceId })).not.toHaveProperty("deletedAt", expect.anything());
  await admin.spaces.remove({ spaceId });
  for (const call of ["get", "restore"] as const)
    await expect(adminIn(WEEK + 1).spaces[call]({ spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("nothing is purged that is not in the trash, or not for seven days", async () => {
  const [shown, fresh] = [await t.space(), await t.space()];
  await admin.spaces.remove({ spaceId: fresh });
  await purge(serviceIn(WEEK + 1), shown);
  await purge(serviceIn(WEEK - 1), fresh);
  expect(await dueSpaces(serviceIn(WEEK - 1), 10)).not.toContain(fresh);
  expect(await admin.spaces.get({ spaceId: shown })).toMatchObject({ id: shown });
  expect(await admin.spaces.restore({ spaceId: fresh })).toMatchObject({ id: fresh });
});

test("of a purged space no table keeps a row, and others keep all of theirs", async () => {
  const [gone, other] = [await furnished(), await furnished()];
  const { rows: revisions } = await sql<{ id: string }>`
    select id from revision where space = ${gone.spaceId}`.execute(t.db);
  const ids = [gone.spaceId, ...gone.changeRequests, ...revisions.map(({ id }) => id)];
  const before = await mentions([other.spaceId, ...other.changeRequests]);
  expect(Object.keys(await mentions(ids))).toEqual(
    expect.arrayContaining([
      "audience",
      "body",
      "branch",
      "content_grant",
      "entry",
      "git_operation",
      "search_section",
    ]),
  );
  await admin.spaces.remove({ spaceId: gone.spaceId });
  await purge(serviceIn(WEEK), gone.spaceId);
  expect(await mentions(ids)).toEqual({});
  expect(await mentions([other.spaceId, ...other.changeRequests])).toEqual(before);
  expect(await purged(gone.spaceId)).toEqual([{ space: gone.spaceId, organization: "acme" }]);
  await purge(serviceIn(WEEK), gone.spaceId);
  expect(await purged(gone.spaceId)).toHaveLength(1);
});

test("every table that names a space, a branch or a change request is reached by a purge", async () => {
  const { rows } = await sql<{ place: string; target: string | null }>`
    select c.table_name || '.' || c.column_name as place, (
      select confrelid::regclass::text from pg_constraint
      join pg_attribute on attrelid = conrelid and attnum = any(conkey)
      where contype = 'f' and confdeltype = 'c' and attname = c.column_name
        and conrelid = (quote_ident(c.table_schema) || '.' || quote_ident(c.table_name))::regclass) as target
    from information_schema.columns c
    where c.table_schema = current_schema() and c.column_name in ('space', 'branch', 'change_request', 'target')`.execute(
    t.db,
  );
  const held = new Set(
    rows
      .filter(({ target }) => target === "space" || target === "change_request")
      .map(({ place }) => place.split(".")[0]),
  );
  // What the purge removes by name, for no foreign key does.
  const byName = ["audience.space", "content_grant.target", "entry.branch"];
  // A translation is its organization's and outlives its source: runs report that it is gone, the result stays.
  const known = [...byName, "translation.space"];
  const loose = rows.map(({ place }) => place).filter((place) => !held.has(place.split(".")[0]));
  expect(loose.sort()).toEqual(known);
  const dependents = (await dependentsOfSpaces(t.ctx)).map(({ table }) => table);
  expect(dependents).toEqual(expect.arrayContaining(["body", "change_request", "git_operation", "revision"]));
  expect(dependents).not.toContain("branch");
});

test("the audit keeps who the space belonged to, what it was called and when it was deleted", async () => {
  const spaceId = await t.space({ title: "Handbook" });
  await admin.spaces.remove({ spaceId });
  await purge(serviceIn(WEEK), spaceId);
  const entries = (await t.emitted("audit.entry.recorded")) as { action: string; target: { id: string } }[];
  expect(
    entries.find(({ action, target }) => action === "space.purge" && target.id === spaceId),
  ).toMatchObject({
    organization: "acme",
    actor: { type: "service", id: "content" },
    details: { title: "Handbook", deletedAt: expect.any(String) },
  });
});

test("a purge that is cut short at any point goes on where it was, and cannot be called back", async () => {
  const [{ spaceId, changeRequests }, other] = [await furnished(), await furnished()];
  const before = await mentions([other.spaceId]);
  await admin.spaces.remove({ spaceId });
  const left = async () =>
    Object.values(await mentions([spaceId, ...changeRequests])).reduce((sum, count) => sum + count, 0);
  const history = [await left()];
  for (let over = false; !over; history.push(await left())) {
    let batches = 0;
    const crash = () => {
      batches += 1;
      if (batches === 3) throw new Error("crashed");
    };
    over = await purge(serviceIn(WEEK), spaceId, { batch: 4, signal: { throwIfAborted: crash } }).then(
      () => true,
      (error: Error) => {
        expect(error.message).toBe("crashed");
        return false;
      },
    );
    expect(await purged(spaceId)).toHaveLength(over ? 1 : 0);
    // Also for a process whose clock is behind.
    await expect(admin.spaces.restore({ spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  expect(history.length).toBeGreaterThan(5);
  expect(history).toEqual([...history].sort((a, b) => b - a));
  expect(history.at(-1)).toBe(0);
  expect(await mentions([other.spaceId])).toEqual(before);
});

test("a commit that waited for a purged branch finds nothing to commit to", async () => {
  const { spaceId, changeRequests } = await furnished();
  await admin.spaces.remove({ spaceId });
  await purge(serviceIn(WEEK), spaceId);
  const edited = admin.changeRequests.edit({
    spaceId,
    changeRequestId: changeRequests[2]!,
    changes: [{ operation: "insert_page", document: { markdown: "# Late\n" } }],
  });
  await expect(edited).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("the hourly look has every due space purged once, however often it looks", async () => {
  const spaces = [await t.space(), await t.space()];
  for (const spaceId of spaces) await admin.spaces.remove({ spaceId });
  const before = (await jobCounts(t.ctx)).waiting;
  const due = await dueSpaces(serviceIn(WEEK), 1000);
  expect(due).toEqual(expect.arrayContaining(spaces));
  await purgeAllDue(serviceIn(WEEK));
  await purgeAllDue(serviceIn(WEEK));
  expect((await jobCounts(t.ctx)).waiting - before).toBe(due.length);
});
