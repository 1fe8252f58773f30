import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentAt } from "../content/client.js";
import { testSites } from "../testing/sites.js";
import { requireStoredRole } from "./standing.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

test("a role that was lost since is refused by the name of the one that it takes", async () => {
  const { id, api } = await service.someone({ acme: "create" });
  const { id: siteId } = await api.sites.create({ organizationId: "acme" });
  service.content.changedRoles.set(id, { acme: "review" });
  const one = { organizationId: "acme", siteId };
  const refused = { code: "FORBIDDEN", message: "Organization: needs the role create" };
  await expect(api.sites.update({ ...one, title: "Mine" })).rejects.toMatchObject(refused);
  // Also where every space may be shown, as none is left to be decided about.
  await expect(api.sites.update({ ...one, basename: "mine" })).rejects.toMatchObject(refused);
});

test("while content is away the identity counts, which is logged; any other failure is thrown", async () => {
  const logged: object[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const away = contentAt({ url: "http://127.0.0.1:1", ownIdentity: async () => "" });
  const ctx = service.contextOf(service.self);
  await requireStoredRole({ ...ctx, log, content: away }, "acme", "site.view");
  expect(logged).toMatchObject([
    { organization: "acme", msg: "a role was not asked for again: content is away" },
  ]);
  const broken = {
    ...away,
    standing: async () => {
      throw new Error("broken");
    },
  };
  const failing = requireStoredRole({ ...ctx, log, content: broken }, "acme", "site.view");
  await expect(failing).rejects.toThrow("broken");
});
