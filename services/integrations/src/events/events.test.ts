import { newId } from "@octavo/shared/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import { publication, startIntegrations } from "../testing/integrations.js";
import { deliver } from "./deliver.js";

let home: Awaited<ReturnType<typeof startIntegrations>>;
let acme: string;
let rival: string;
let name: string;
const eventIds: Record<string, string[]> = {};
beforeAll(async () => {
  home = await startIntegrations();
  acme = home.orgs.add();
  rival = home.orgs.add();
  const { call } = await home.as({ [acme]: "create", [rival]: "create" });
  ({ name } = await call.integrations.publish(publication({ organization: acme, visibility: "public" })));
  for (const organization of [acme, rival]) {
    const { id } = await call.installations.install({ integrationName: name, organization });
    await call.installations.update({ integrationName: name, installationId: id, configuration: { a: 1 } });
    const rows = await home.db
      .selectFrom("event")
      .select("id")
      .where("installation", "=", id)
      .orderBy("id")
      .execute();
    eventIds[organization] = rows.map(({ id }) => id);
    for (const id of eventIds[organization]) await deliver(home.ownContext(), id);
  }
});
afterAll(() => home.end());

const send = async (roles: Parameters<typeof home.as>[0], path: string) =>
  (await home.as(roles)).send("GET", path);
const idsOf = ({ body }: { body: { items: { id: string }[] } }) => body.items.map(({ id }) => id);

test("GET /integrations/{integrationName}/events lists what was delivered, newest first, in pages", async () => {
  const all = [...eventIds[acme]!, ...eventIds[rival]!].reverse();
  expect(idsOf(await send({ [acme]: "create" }, `/integrations/${name}/events`))).toEqual(all);
  const first = await send({ [acme]: "create" }, `/integrations/${name}/events?limit=3`);
  expect(first.body).toMatchObject({ count: 4 });
  expect(idsOf(first)).toEqual(all.slice(0, 3));
  const next = await send(
    { [acme]: "create" },
    `/integrations/${name}/events?limit=3&page=${first.body.next.page}`,
  );
  expect(idsOf(next)).toEqual(all.slice(3));
});

test("GET /integrations/{integrationName}/events shows an installing organization its own, and hides the trace", async () => {
  expect(idsOf(await send({ [rival]: "create" }, `/integrations/${name}/events`))).toEqual(
    [...eventIds[rival]!].reverse(),
  );
  const one = await send({ [rival]: "create" }, `/integrations/${name}/events/${eventIds[rival]![0]}`);
  expect(one).toMatchObject({ status: 200, body: { event: { status: "failed" } } });
  expect(one.body.trace).toBeUndefined();
  expect(
    (await send({ [rival]: "create" }, `/integrations/${name}/events/${eventIds[acme]![0]}`)).status,
  ).toBe(404);
  const traced = await send({ [acme]: "create" }, `/integrations/${name}/events/${eventIds[rival]![0]}`);
  expect(traced.body.trace.logs).toMatchObject([
    { level: "info", message: "Sending installation_setup to the script", timestamp: expect.any(String) },
    { level: "error" },
    { level: "error", message: expect.stringMatching(/^The script failed: /) },
  ]);
});

test("GET /integrations/{integrationName}/events below create is 403, of an unknown integration or event 404", async () => {
  expect((await send({ [acme]: "review" }, `/integrations/${name}/events`)).status).toBe(403);
  expect((await send({}, `/integrations/${name}/events/${eventIds[acme]![0]}`)).status).toBe(403);
  expect((await send({ [acme]: "create" }, `/integrations/${newId()}/events`)).status).toBe(404);
  expect((await send({ [acme]: "create" }, `/integrations/${name}/events/${newId()}`)).status).toBe(404);
  expect((await send({ [acme]: "create" }, `/integrations/${name}/events?limit=1001`)).status).toBe(400);
  expect((await send({ [acme]: "create" }, `/integrations/${name}/events?page=x`)).status).toBe(400);
});
