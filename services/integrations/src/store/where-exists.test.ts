import { afterAll, beforeAll, expect, test } from "vitest";
import { publication, startIntegrations } from "../testing/integrations.js";
import { hasInstallations } from "./installations.js";
import { hasWebhooks } from "./webhooks.js";

let home: Awaited<ReturnType<typeof startIntegrations>>;
beforeAll(async () => {
  home = await startIntegrations();
});
afterAll(() => home.end());

const of = (organizations: string[]) => organizations.map((organization) => ({ organization }));

test("an organization has installations from the first one on until the last one is removed", async () => {
  const [installing, other] = [home.orgs.add(), home.orgs.add()];
  const { call } = await home.as({ [installing]: "admin" });
  const asked = () => hasInstallations(home.ownContext(), of([other, installing, installing]));
  expect(await asked()).toEqual([false, false, false]);
  const { name: integrationName } = await call.integrations.publish(
    publication({ organization: installing }),
  );
  const { id } = await call.installations.install({ integrationName, organization: installing });
  expect(await asked()).toEqual([false, true, true]);
  await call.installations.uninstall({ integrationName, installationId: id });
  expect(await asked()).toEqual([false, false, false]);
});

test("an organization has webhooks from the first one on until the last one is removed", async () => {
  const [listening, other] = [home.orgs.add(), home.orgs.add()];
  const { call } = await home.as({ [listening]: "admin" });
  const asked = () => hasWebhooks(home.ownContext(), of([listening, other]));
  expect(await asked()).toEqual([false, false]);
  const { id: webhookId } = await call.webhooks.create({
    organizationId: listening,
    url: "https://hooks.example.com/",
    types: ["space.created"],
  });
  expect(await asked()).toEqual([true, false]);
  await call.webhooks.remove({ organizationId: listening, webhookId });
  expect(await asked()).toEqual([false, false]);
});
