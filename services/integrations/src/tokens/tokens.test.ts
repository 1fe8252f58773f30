import { SpaceTransferred } from "@octavo/shared/contracts/events/content";
import { transact } from "@octavo/shared/database/transact";
import { newId } from "@octavo/shared/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listeners } from "../events/listeners.js";
import { publication, startIntegrations } from "../testing/integrations.js";
import { mint } from "./mint.js";

let home: Awaited<ReturnType<typeof startIntegrations>>;
let acme: string;
beforeAll(async () => {
  home = await startIntegrations();
  acme = home.orgs.add();
});
afterAll(() => home.end());

/** An integration that is installed on an organization, with a token of its installation. */
async function installed() {
  const { call } = await home.as({ [acme]: "create" });
  const configurations = {
    space: { properties: { key: { type: "string" as const } }, required: ["key"] },
  };
  const { integrationName } = publication({ organization: acme });
  await call.integrations.publish({
    ...publication({ organization: acme }),
    integrationName,
    configurations,
  });
  const { id: installationId } = await call.installations.install({ integrationName, organization: acme });
  const { id: integration } = await home.db
    .selectFrom("integration")
    .select("id")
    .where("name", "=", integrationName)
    .executeTakeFirstOrThrow();
  const [token] = await mint(home.ownContext(), { integration, installation: installationId });
  const one = { integrationName, installationId };
  return {
    call,
    one,
    integration,
    reach: async (place: { space?: string; site?: string } = {}) => {
      const { caller } = (await home.gateway.tokens.resolve({ token, ...place }))!;
      return { spaces: caller.spaces, sites: caller.sites };
    },
    placed: async () =>
      (await home.emitted(installationId)).filter(([name]) => name === "installation.placed").length,
    installOn: (space: string) => call.installationSpaces.install({ ...one, space }),
    activate: (spaceId: string) =>
      call.installationSpaces.update({ ...one, spaceId, configuration: { key: "k" } }),
  };
}

test("selected spaces are reached while the installation on them is active, and each change counts at once", async () => {
  const { call, one, reach, placed, installOn, activate } = await installed();
  const [space, other] = [home.content.space(acme), home.content.space(acme)];
  expect(await reach()).toEqual({});
  await installOn(space);
  // Pending there: it works in all spaces but that one.
  expect(await reach()).toEqual({ spaces: { all: true, but: [space] } });
  await activate(space);
  expect(await reach()).toEqual({});

  await call.installations.update({ ...one, space_selection: "selected", site_selection: "selected" });
  const sites = { all: false, but: [] };
  expect(await reach()).toEqual({ spaces: { all: false, but: [space] }, sites });
  await installOn(other);
  expect(await reach()).toEqual({ spaces: { all: false, but: [space] }, sites });
  await activate(other);
  expect(await reach()).toEqual({ spaces: { all: false, but: [space, other].sort() }, sites });

  expect(await placed()).toBe(4);
  await call.installationSpaces.uninstall({ ...one, spaceId: other });
  expect(await reach()).toEqual({ spaces: { all: false, but: [space] }, sites });
  expect(await placed()).toBe(5);
});

test("a space that moves to another organization is out of reach, and so is everything after the end", async () => {
  const { call, one, reach, placed, installOn, activate } = await installed();
  const space = home.content.space(acme);
  await installOn(space);
  await activate(space);
  await call.installations.update({ ...one, space_selection: "selected" });
  const before = await placed();
  const payload = { space, from: acme, to: home.orgs.add() };
  const { handle } = listeners.find(({ event }) => event.name === SpaceTransferred.name)!;
  await transact(home.ownContext(), (ctx) => handle({ ctx, payload } as never));
  expect((await reach()).spaces).toEqual({ all: false, but: [] });
  expect(await placed()).toBe(before + 1);
});

test("beyond a hundred places access is decided per request, and the first of the others are returned", async () => {
  const { call, one, integration, reach } = await installed();
  await call.installations.update({ ...one, space_selection: "selected" });
  const spaces = Array.from({ length: 150 }, newId).sort();
  const rows = spaces.map((content) => ({
    id: newId(),
    integration,
    installation: one.installationId,
    organization: acme,
    kind: "space" as const,
    content,
    status: "active" as const,
    configuration: "{}",
    signing_secret: Buffer.from("sealed"),
  }));
  await home.db
    .insertInto("content_installation")
    .values(rows as never)
    .execute();
  const last = spaces.at(-1)!;
  expect((await reach()).spaces?.but).toEqual(spaces.slice(0, 100));
  expect((await reach({ space: last })).spaces?.but).toEqual([last, ...spaces.slice(0, 99)]);
  expect((await reach({ space: newId() })).spaces?.but).toHaveLength(100);

  await call.installations.update({ ...one, space_selection: "all" });
  await home.db.updateTable("content_installation").set({ status: "paused" }).execute();
  // It works in all others, which are decided as they are named.
  expect((await reach()).spaces).toEqual({ all: false, but: [] });
  expect((await reach({ space: last })).spaces).toEqual({ all: false, but: [] });
  const another = newId();
  expect((await reach({ space: another })).spaces).toEqual({ all: false, but: [another] });
});

test("a new version takes no more in another organization until somebody there changes the installation", async () => {
  const rival = home.orgs.add();
  const { call } = await home.as({ [acme]: "create", [rival]: "create" });
  const input = publication({ organization: acme, visibility: "public", scopes: ["space:content:read"] });
  const { integrationName } = input;
  await call.integrations.publish(input);
  const scopesIn = async (organization: string) => {
    const { id: installationId } = await call.installations.install({ integrationName, organization });
    const { integration } = await home.db
      .selectFrom("installation")
      .select("integration")
      .where("id", "=", installationId)
      .executeTakeFirstOrThrow();
    const [token] = await mint(home.ownContext(), { integration, installation: installationId });
    const scopes = async () =>
      (await home.gateway.tokens.resolve({ token }))!.caller.scopes.filter((scope) =>
        scope.startsWith("space:"),
      );
    return { installationId, scopes };
  };
  const [own, theirs] = [await scopesIn(acme), await scopesIn(rival)];
  const more = ["space:content:read", "space:content:write"] as const;
  await call.integrations.publish({ ...input, scopes: [...more] });
  expect(await own.scopes()).toEqual(more);
  expect(await theirs.scopes()).toEqual(["space:content:read"]);
  await call.installations.update({
    integrationName,
    installationId: theirs.installationId,
    externalIds: [],
  });
  expect(await theirs.scopes()).toEqual(more);
});
