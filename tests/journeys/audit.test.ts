import { beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { publishIntegration } from "../harness/integration.js";
import { type SharedStack, sharedStack } from "../harness/shared-stack.js";

let stack: SharedStack;
let admin: Client;
beforeAll(async () => {
  stack = await sharedStack();
  admin = createClient(stack);
});

type Named = { id: string };
interface AuditEvent {
  id: string;
  action: string;
  service: string;
  actor: { type: string; id: string };
  token?: string;
  ip?: string;
  target: { type: string; id: string };
}

test("an administrator reads what was done in every service, by whom, from where and with which token", async () => {
  const me = (await admin<Named>("GET", "/user")).body.id;
  const organization = (await admin<{ items: Named[] }>("GET", "/orgs")).body.items[0]!.id;
  const path = `/orgs/${organization}`;
  const space = (await admin<Named>("POST", `${path}/spaces`, { title: "Handbook" })).body.id;
  const site = (await admin<Named>("POST", `${path}/sites`, { title: "Docs", spaces: "empty" })).body.id;
  await publishIntegration(admin, { name: "audit-witness", organization, tunnelUrl: "http://127.0.0.1:9" });
  await admin("PATCH", path, { title: "Renamed" });

  const done = [
    ["orgs", "organization.update", organization],
    ["content", "space.create", space],
    ["sites", "site.create", site],
    ["integrations", "integration.publish", "audit-witness"],
  ] as const;
  for (const [service, action, target] of done) {
    const query = `targetType=${action.split(".")[0]}&action=${action}&target=${target}&actor=${me}`;
    const event = await eventually(async () => {
      const { status, body } = await admin<{ items: AuditEvent[] }>("GET", `${path}/audit-events?${query}`);
      expect(status).toBe(200);
      expect(body.items.length).toBeLessThan(2);
      return body.items[0];
    });
    expect(event).toMatchObject({ service, action, actor: { type: "user", id: me }, ip: expect.any(String) });
    expect((await admin("GET", `${path}/audit-events/${event!.id}`)).body).toEqual(event);
    const { items } = (await admin<{ items: Named[] }>("GET", "/user/tokens")).body;
    expect(items.map(({ id }) => id)).toContain(event!.token);
  }

  // The space of the new site was made by sites, on behalf of the caller, with their address.
  const { items } = (await admin<{ items: AuditEvent[] }>("GET", `${path}/audit-events?action=space.create`))
    .body;
  expect(items.map(({ actor, ip }) => [actor.id, ip])).toEqual(items.map(() => [me, expect.any(String)]));
  expect(items).toHaveLength(2);
});
