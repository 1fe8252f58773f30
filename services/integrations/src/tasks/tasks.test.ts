import { newId } from "@octavo/shared/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import { around, sender } from "../testing/identities.js";
import { publication, startIntegrations } from "../testing/integrations.js";

let home: Awaited<ReturnType<typeof startIntegrations>>;
let acme: string;
beforeAll(async () => {
  home = await startIntegrations();
  acme = home.orgs.add();
});
afterAll(() => home.end());

async function published() {
  const { call } = await home.as({ [acme]: "create" });
  const { name } = await call.integrations.publish(publication({ organization: acme }));
  const caller = { kind: "integration" as const, integration: name, organization: acme, token: newId() };
  const as = async (over: { installation?: string; scopes?: string[]; integration?: string } = {}) =>
    sender(home.address, await around.sign({ ...caller, scopes: ["integration:update"], ...over }));
  const waiting = async () => {
    const rows = await home.db
      .selectFrom("event")
      .innerJoin("integration", "integration.id", "event.integration")
      .select(["event.id", "payload"])
      .where("integration.name", "=", name)
      .execute();
    return rows;
  };
  return { name, path: `/integrations/${name}/tasks`, as, waiting };
}

test("POST /integrations/{integrationName}/tasks keeps the task for the time that it names", async () => {
  const { path, as, waiting } = await published();
  const send = await as();
  expect((await send("POST", path, { task: { type: "sync" }, schedule: 3600 })).status).toBe(204);
  expect((await send("POST", path, { task: { type: "now" } })).status).toBe(204);
  const [later, now] = await waiting();
  expect(later!.payload).toEqual({ eventId: later!.id, type: "task", task: { type: "sync" } });
  const due = async (id: string) => Date.parse(String((await home.queued(id))!.runAt)) - Date.now();
  expect(await due(later!.id)).toBeGreaterThan(3_000_000);
  expect(await due(now!.id)).toBeLessThanOrEqual(60_000);
});

test("POST /integrations/{integrationName}/tasks is for the integration itself, and refuses bad input", async () => {
  const { name, path, as, waiting } = await published();
  const task = { type: "sync" };
  const statuses = [
    (await (await home.as({ [acme]: "admin" })).send("POST", path, { task })).status,
    (await (await as({ installation: newId() }))("POST", path, { task })).status,
    (await (await as({ integration: `other-${name}` }))("POST", path, { task })).status,
    (await (await as({ scopes: [] }))("POST", path, { task })).status,
    (await (await as())("POST", path, { task: "sync" })).status,
    (await (await as())("POST", path, { task, schedule: 86_401 })).status,
    (await (await as())("POST", path, { task: { text: "\0" } })).status,
    (await (await as())("POST", path, {})).status,
  ];
  expect(statuses).toEqual([403, 403, 404, 403, 400, 400, 400, 400]);
  expect(await waiting()).toEqual([]);
});

test("DELETE /integrations/{integrationName} ends what it scheduled for itself, and leaves nothing to wait for", async () => {
  const { name, path, as, waiting } = await published();
  const send = await as();
  expect((await send("POST", path, { task: { type: "sync" }, schedule: 80_000 })).status).toBe(204);
  expect(await waiting()).toHaveLength(1);
  const { call } = await home.as({ [acme]: "admin" });
  await call.integrations.unpublish({ integrationName: name });
  expect(await waiting()).toEqual([]);
  const rows = home.db.selectFrom("integration").select("id").where("name", "=", name);
  expect(await rows.execute()).toEqual([]);
});
