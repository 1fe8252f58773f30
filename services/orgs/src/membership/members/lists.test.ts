import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { startOrgs } from "../../testing/orgs.js";

const { db, rows, as, launcher, end } = await startOrgs();
afterAll(end);

const idsOf = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id);
const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, "0")}.000Z`;

test("GET /orgs/{organizationId}/members lists the latest first, page by page", async () => {
  const acme = await rows.organization();
  const people: string[] = [];
  // Three of them joined in the same moment: the tie is broken by the id.
  for (const second of [1, 2, 3, 3, 3, 4]) {
    people.push(await rows.member({ organization: acme, joined_at: at(second) }));
  }
  const ada = await as({ [acme]: "read" });
  await db
    .updateTable("member")
    .set({ joined_at: at(5) })
    .where("person", "=", ada.id)
    .execute();
  const walk = async (query: string) => {
    const seen: string[] = [];
    for (let page = ""; ; ) {
      const { body } = await ada.send("GET", `/v1/orgs/${acme}/members?limit=2${query}${page}`);
      expect(body.count).toBe(7);
      seen.push(...idsOf(body));
      if (!body.next) return seen;
      page = `&page=${body.next.page}`;
    }
  };
  const ascending = [...people.slice(0, 2), ...people.slice(2, 5).sort(), people[5], ada.id];
  expect(await walk("&order=asc")).toEqual(ascending);
  expect(await walk("")).toEqual(ascending.toReversed());
  const none = (await ada.send("GET", `/v1/orgs/${acme}/members?limit=0`)).body;
  expect(none).toEqual({ items: [], count: 7 });
});

test("GET /orgs/{organizationId}/members sorted by lastSeenAt lists only who was ever seen", async () => {
  const acme = await rows.organization();
  const late = await rows.member({ organization: acme, last_seen_at: at(9), joined_at: at(1) });
  const early = await rows.member({ organization: acme, last_seen_at: at(8), joined_at: at(2) });
  const ada = await as({ [acme]: "read" });
  const list = async (query: string) => (await ada.send("GET", `/v1/orgs/${acme}/members?${query}`)).body;
  const sorted = await list("sort=lastSeenAt");
  expect([idsOf(sorted), sorted.count]).toEqual([[late, early], 2]);
  expect(idsOf(await list("sort=lastSeenAt&order=asc"))).toEqual([early, late]);
  const { next } = await list("sort=lastSeenAt&limit=1");
  expect(idsOf(await list(`sort=lastSeenAt&limit=1&page=${next.page}`))).toEqual([early]);
  expect(sorted.items[0].lastSeenAt).toBe(at(9));
});

test("GET /orgs/{organizationId}/members filters by role, and by a part of the name or the address", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const guest = await rows.member({ organization: acme, role: null });
  const emile = await rows.person({ display_name: "Émile 100%_sure", email: "zola@paris.example" });
  await rows.member({ organization: acme, person: emile, role: "edit" });
  const list = async (query: string) =>
    idsOf((await ada.send("GET", `/v1/orgs/${acme}/members?${query}`)).body);
  expect(await list("role=admin")).toEqual([ada.id]);
  expect(await list("role=guest")).toEqual([guest]);
  expect(await list("role=comment")).toEqual([]);
  expect(await list(`search=${encodeURIComponent("éMILE")}`)).toEqual([emile]);
  expect(await list("search=ZOLA@")).toEqual([emile]);
  expect(await list(`search=${encodeURIComponent("100%_")}`)).toEqual([emile]);
  expect(await list(`search=${encodeURIComponent("1__%")}`)).toEqual([]);
  expect(await list("search=zola&role=admin")).toEqual([]);
  expect(await list("search=")).toHaveLength(3);
});

test("GET /orgs/{organizationId}/members with bad input is 400 with all issues", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const bad = `role=owner&sort=name&order=up&limit=-1&search=${"x".repeat(513)}`;
  const { status, body } = await ada.send("GET", `/v1/orgs/${acme}/members?${bad}`);
  expect(status).toBe(400);
  expect(body.error.issues.map(({ path }: { path: string }) => path).sort()).toEqual([
    "query.limit",
    "query.order",
    "query.role",
    "query.search",
    "query.sort",
  ]);
  const other = Buffer.from('["not a time","x"]').toString("base64url");
  expect((await ada.send("GET", `/v1/orgs/${acme}/members?page=${other}`)).status).toBe(400);
});

test("GET /orgs/{organizationId}/members by a guest is 403, by a stranger 404", async () => {
  const acme = await rows.organization();
  const refused = await (await as({ [acme]: null })).send("GET", `/v1/orgs/${acme}/members`);
  expect([refused.status, refused.body.error.message]).toEqual([403, "Organization: needs the role read"]);
  expect((await (await as()).send("GET", `/v1/orgs/${acme}/members`)).status).toBe(404);
  expect((await launcher.send("GET", "/v1/orgs/unknown/members")).status).toBe(404);
});

test("the lists of members are read from their indexes, not sorted", async () => {
  const acme = await rows.organization();
  await db.transaction().execute(async (trx) => {
    for (const statement of [
      `insert into person (id, display_name, search_text) select 'p' || n, 'P', 'p' from generate_series(1, 3000) n`,
      `insert into member (organization, person, role, joined_at, last_seen_at)
        select '${acme}', 'p' || n, 'read', now() - n * interval '1 minute', now() - n * interval '1 hour' from generate_series(1, 3000) n`,
      "analyze member",
      "analyze person",
    ]) {
      await run(trx, statement);
    }
  });
  for (const [filter, column] of [
    ["", "joined_at"],
    ["and role = 'read'", "joined_at"],
    ["and last_seen_at is not null", "last_seen_at"],
    ["and role = 'read' and last_seen_at is not null", "last_seen_at"],
  ]) {
    const plan = await run(
      db,
      `explain select * from member where organization = '${acme}' ${filter} order by ${column} desc, person desc limit 51`,
    );
    expect(JSON.stringify(plan)).not.toContain("Sort");
  }
});

async function run(on: typeof db, statement: string) {
  return (await sql.raw(statement).execute(on)).rows;
}
