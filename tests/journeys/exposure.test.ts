import { beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { openDatabase } from "../harness/database.js";
import { register } from "../harness/people.js";
import { makerOf } from "../harness/permissions.js";
import { sharedStack } from "../harness/shared-stack.js";

let admin: Client;
let member: Client;
let stranger: Client;
let organization: string;

beforeAll(async () => {
  const stack = await sharedStack();
  admin = createClient(stack);
  const { items } = await makerOf(admin)<{ items: { id: string }[] }>("GET", "/orgs");
  organization = items[0]!.id;
  const [bea, eve] = [await register(stack, "Bea"), await register(stack, "Eve")];
  const database = openDatabase(stack);
  await database.query("update orgs.member set organization = $1, role = 'create' where person = $2", [
    organization,
    bea.id,
  ]);
  await database.close();
  [member, stranger] = [admin.as(bea.token), admin.as(eve.token)];
});

test("who may not read a space makes it public by no way through its site", async () => {
  const make = makerOf(admin);
  const org = `/orgs/${organization}`;
  const { id: closed } = await make("POST", `${org}/spaces`, { title: "Closed" });
  await make("PATCH", `/spaces/${closed}`, { defaultLevel: null });
  const { id } = await make("POST", `${org}/sites`, { visibility: "share-link", spaces: [closed] });
  const site = `${org}/sites/${id}`;
  expect((await member("GET", `/spaces/${closed}`)).status).toBe(404);
  const responses = [
    await member("PATCH", site, { visibility: "public" }),
    await member("POST", `${site}/publish`),
    await member("GET", `${site}/publishing/auth`),
  ];
  for (const { status, body } of responses) {
    expect([status, body.error]).toMatchObject([403, { reason: "spaces_not_yours_to_show" }]);
    expect(JSON.stringify(body)).not.toContain(closed);
  }
  await make("POST", `${site}/publish`);
  expect((await member("PATCH", site, { visibility: "unlisted" })).status).toBe(403);
  await make("PATCH", site, { visibility: "public" });
  await eventually(async () => (await stranger("GET", `/spaces/${closed}`)).status === 200);
  expect((await member("PATCH", site, { visibility: "visitor-auth" })).status).toBe(200);
  await eventually(async () => (await stranger("GET", `/spaces/${closed}`)).status === 404);
});
