import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, s3Server } from "../../services/content/src/testing/s3.js";
import { type Client, createClient, eventually } from "../harness/client.js";
import { type Database, openDatabase } from "../harness/database.js";
import { type Stack, startStack } from "../harness/stack.js";

let bucket: S3Server;
let stack: Stack;
let database: Database;
let call: Client;
let organization: string;

beforeAll(async () => {
  bucket = await s3Server();
  stack = await startStack({
    OCTAVO_S3_ENDPOINT: bucket.endpoint,
    OCTAVO_S3_BUCKET: bucket.bucket,
    OCTAVO_S3_REGION: bucket.region,
    OCTAVO_S3_ACCESS_KEY: bucket.accessKeyId,
    OCTAVO_S3_SECRET_KEY: bucket.secretAccessKey,
  });
  database = openDatabase(stack);
  call = createClient({ ...stack, patienceMs: 30_000 });
  const { body } = await call<{ items: { id: string }[] }>("GET", "/orgs");
  organization = body.items[0]!.id;
});
afterAll(async () => {
  await database?.close();
  await Promise.allSettled([stack?.stop(), bucket?.close()]);
});

/** A space with a file of this text; returns its id and the file's address. */
async function spaceWith(title: string, text: string) {
  const { body: space } = await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, { title });
  const opened = await call<{ id: string }>("POST", `/spaces/${space.id}/change-requests`, {});
  const one = `/spaces/${space.id}/change-requests/${opened.body.id}`;
  const files = [{ name: "plan.txt", base64: Buffer.from(text).toString("base64") }];
  const changes = [
    { operation: "insert_files", files },
    { operation: "insert_page", title, document: { markdown: `# ${title}\n` } },
  ];
  expect((await call("POST", `${one}/content`, { changes })).status).toBe(200);
  expect((await call("POST", `${one}/merge`)).status).toBe(200);
  const { body } = await call<{ items: { downloadURL: string }[] }>(
    "GET",
    `/spaces/${space.id}/content/files`,
  );
  return { id: space.id, address: body.items[0]!.downloadURL };
}

/** Lets eight days pass for a deleted space, and has the hourly job look. */
async function purgeTime(space: string) {
  await database.query("update content.space set deleted_at = deleted_at - interval '8 days' where id = $1", [
    space,
  ]);
  await database.query(`select content_jobs.add_job('spaces.purge-due', '{"payload": {}}')`);
}

const inBucket = () => [...bucket.objects.values()].map(String);

test("a space that is purged leaves sites, the bucket and the audit with nothing but its record", async () => {
  const [gone, stays] = [await spaceWith("Gone", "ours alone"), await spaceWith("Stays", "of both")];
  const shared = await spaceWith("Shared", "of both");
  const spaces = [gone.id, stays.id];
  const site = await call<{ id: string }>("POST", `/orgs/${organization}/sites`, { title: "Site", spaces });
  const sitePath = `/orgs/${organization}/sites/${site.body.id}`;
  expect((await call("POST", `${sitePath}/publish`)).status).toBe(200);
  expect(await (await fetch(gone.address)).text()).toBe("ours alone");
  expect(inBucket().sort()).toEqual(["of both", "ours alone"]);

  for (const { id } of [gone, shared]) {
    expect((await call("DELETE", `/spaces/${id}`)).status).toBe(204);
    expect((await call("GET", `/spaces/${id}`)).body).toHaveProperty("deletedAt");
    await purgeTime(id);
  }
  await eventually(async () => (await database.query("select id from content.space")).length === 1);
  for (const [method, path] of [["GET", ""] as const, ["POST", "/restore"] as const])
    expect((await call(method, `/spaces/${gone.id}${path}`)).status).toBe(404);

  const left = () =>
    database.query("select space from sites.site_space where space = any($1)", [[gone.id, shared.id]]);
  await eventually(async () => (await left()).length === 0);
  expect((await call("GET", sitePath)).body.siteSpaces).toBe(1);

  // What came in today is collected tomorrow: until then it might be on its way into another space.
  await database.query(
    "update content.stored_file set check_at = now(), received_at = now() - interval '2 days'",
  );
  await database.query(`select content_jobs.add_job('files.collect', '{"payload": {}}')`);
  await eventually(async () => inBucket().length === 1);
  expect(inBucket()).toEqual(["of both"]);
  expect((await fetch(gone.address)).status).toBe(404);
  expect(await (await fetch(stays.address)).text()).toBe("of both");

  const purges = await eventually(async () => {
    const { body } = await call<{ items: object[] }>(
      "GET",
      `/orgs/${organization}/audit-events?action=space.purge`,
    );
    return body.items.length === 2 && body.items;
  });
  expect(purges).toEqual(
    expect.arrayContaining([expect.objectContaining({ target: { type: "space", id: gone.id } })]),
  );
});

test("a purge that is killed with the service is finished by the next one", async () => {
  const { id } = await spaceWith("Large", "large");
  await database.query(
    `insert into content.entry (branch, id, from_seq, kind, title)
     select $1, 'filler-' || n, 2, 'page', 'Filler' from generate_series(1, 60000) as n`,
    [id],
  );
  expect((await call("DELETE", `/spaces/${id}`)).status).toBe(204);
  await purgeTime(id);
  await eventually(async () => {
    const [entries] = await database.query<{ count: number }>(
      "select count(*)::int as count from content.entry where branch = $1",
      [id],
    );
    return entries!.count < 60_000;
  });
  await stack.kill("services/content");
  await stack.ready();
  await eventually(
    async () => (await database.query("select id from content.space where id = $1", [id])).length === 0,
    60_000,
  );
  expect(await database.query("select id from content.entry where branch = $1 limit 1", [id])).toEqual([]);
  const purges = await database.query(
    "select id from content.outbox where name = 'content.space.purged' and aggregate = $1",
    [id],
  );
  expect(purges).toHaveLength(1);
});
