// Every rule that writes is started while a change of who may do what is under way: it has to wait, and then to decide
// by what is true by then.

import { newId } from "@octavo/shared/ids";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { depart } from "../library/grants/departures.js";
import { router } from "../router.js";
import { TEMPLATES } from "../templates/catalog.js";
import { contentTest } from "../testing/content.js";
import { waitsFor } from "../testing/locks.js";
import { type Ctx, createCaller } from "../trpc.js";
import { lockRows } from "./lock.js";

const t = await contentTest();
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(t.drop);

type Kind = "space" | "collection";
type Who = ReturnType<typeof t.as>;

/** A space and a collection on which Eve has the role `create`. */
interface World {
  spaceId: string;
  collectionId: string;
  eve: Who;
}

const admin = t.as({ acme: "admin", beta: "admin", gamma: "admin" }, { id: "ada" });
t.directory.member("acme", { user: "bob", role: "admin", teams: ["team"] });
t.directory.team("acme", "team");

/**
 * Where the change under way happens: on the thing itself, or on the collection around it. Eve has her role by a grant,
 * or in the organization, which orgs changes while something else holds the lock.
 */
const FLIGHTS = {
  "itself is transferred": { by: "itself", role: "create", change: transfer },
  "is transferred with what it lies in": { by: "around", role: "create", change: transfer },
  "is transferred with what it lies in, from its administrator": {
    by: "around",
    role: "admin",
    change: transfer,
  },
  "loses its member": { by: "itself", role: "create", change: leave },
  "has its member's role lowered around it": { by: "around", role: "create", change: lower },
  "is held, and its member leaves the organization": {
    by: "organization",
    role: "create",
    change: leaveOrganization,
  },
  "is held, and its member's role there is lowered": {
    by: "organization",
    role: "create",
    change: lowerInOrganization,
  },
} as const;
type Flight = keyof typeof FLIGHTS;

type Change = (ctx: Ctx, kind: Kind, id: string) => Promise<unknown>;

function transfer(ctx: Ctx, kind: Kind, id: string) {
  const { spaces, collections } = createCaller(router)(ctx);
  const to = { organization: "beta" };
  return kind === "space"
    ? spaces.transfer({ spaceId: id, ...to })
    : collections.transfer({ collectionId: id, ...to });
}

function leave(ctx: Ctx) {
  return depart(ctx, "acme", { subject: "eve", subject_kind: "user" }, "2026-01-01T00:00:00.000Z");
}

function lower(ctx: Ctx, kind: Kind, id: string) {
  const { spaceGrants, collectionGrants } = createCaller(router)(ctx);
  const input = { [`${kind}Id`]: id, userId: "eve", role: "read" as const };
  return (kind === "space" ? spaceGrants : collectionGrants).updateUser(input as never);
}

async function leaveOrganization(ctx: Ctx, _: Kind, id: string) {
  await lockRows(ctx, [id], "change");
  t.directory.leave("acme", "eve");
}

async function lowerInOrganization(ctx: Ctx, _: Kind, id: string) {
  await lockRows(ctx, [id], "change");
  t.directory.member("acme", { user: "eve", role: "read", teams: [] });
}

interface Write {
  /** What the rule is about. */
  on: Kind;
  /** The changes under way that there can be; all of them by default. */
  flights?: Flight[];
  /** The role in the organization that the rule takes; that of the change under way by default. */
  role?: "admin";
  /** Prepares the rule, and returns how to run it as Eve. */
  run: (world: World) => Promise<() => Promise<unknown>>;
}

const onSpace = (run: Write["run"]): Write => ({ on: "space", run });
const onCollection = (run: Write["run"]): Write => ({ on: "collection", run });
const text = { markdown: "Text." };
const insert = { operation: "insert_page" as const, title: "Page", document: text };

/** A change request with a page in it, opened by an administrator or by Eve. */
async function opened({ spaceId }: Pick<World, "spaceId">, by: Who) {
  const { id: changeRequestId } = await by.changeRequests.create({ spaceId });
  await by.changeRequests.edit({ spaceId, changeRequestId, changes: [insert] });
  return { spaceId, changeRequestId };
}

function grants(on: Kind): Record<string, Write> {
  const name = `${on}Grants` as const;
  const key = `${on}Id` as const;
  const write = (
    run: (call: Who["spaceGrants"], input: { spaceId: string; userId: string; teamId: string }) => unknown,
  ): Write => ({
    on,
    run: async (world) => {
      const call = world.eve[name] as Who["spaceGrants"];
      const input = { [key]: world[key] } as never as { spaceId: string };
      await call.invite({ ...input, users: ["bob"], teams: ["team"], role: "read" });
      return async () => run(call, { ...input, userId: "bob", teamId: "team" });
    },
  });
  return {
    [`${name}.invite`]: write((call, input) => call.invite({ ...input, users: ["bob"], role: "edit" })),
    [`${name}.updateUser`]: write((call, input) => call.updateUser({ ...input, role: "edit" })),
    [`${name}.removeUser`]: write((call, input) => call.removeUser(input)),
    [`${name}.updateTeam`]: write((call, input) => call.updateTeam({ ...input, role: "edit" })),
    [`${name}.removeTeam`]: write((call, input) => call.removeTeam(input)),
  };
}

function comments(name: "comments" | "changeRequestComments"): Record<string, Write> {
  type Place = Awaited<ReturnType<typeof opened>> & { commentId: string; commentReplyId: string };
  const write = (run: (call: Who["comments"], place: Place) => Promise<unknown>) =>
    onSpace(async (world) => {
      const at = await opened(world, admin);
      const call = world.eve[name] as Who["comments"];
      const { id: commentId } = await call.post({ ...at, body: text });
      const { id: commentReplyId } = await call.postReply({ ...at, commentId, body: text });
      return () => run(call, { ...at, commentId, commentReplyId });
    });
  return {
    [`${name}.post`]: write((call, at) => call.post({ ...at, body: text })),
    [`${name}.update`]: write((call, at) => call.update({ ...at, resolved: true })),
    [`${name}.remove`]: write((call, at) => call.remove(at)),
    [`${name}.postReply`]: write((call, at) => call.postReply({ ...at, body: text })),
    [`${name}.updateReply`]: write((call, at) => call.updateReply({ ...at, addedReactions: ["👍"] })),
    [`${name}.removeReply`]: write((call, at) => call.removeReply(at)),
  };
}

const remote = { url: "https://git.example/handbook.git", ref: "refs/heads/main" };

/** What an import names; nobody who may not import has it fetched. */
const source = { url: "https://pages.example/guide.md", source: "markdown" as const };

/** A change request with a page in it, and the id of the page. */
async function openedWithPage(world: World) {
  const at = await opened(world, admin);
  const { pages } = await admin.changeRequestContent.pages(at);
  return { at, pageId: pages[0]!.id };
}

const link = { organizationId: "acme", level: "read" as const };

/** Every rule that writes, by the name of its procedure; what stands behind a `#` names further ways through one. */
const writes: Record<string, Write> = {
  "collections.create": onCollection(
    async ({ eve, collectionId: parent }) =>
      () =>
        eve.collections.create({ organizationId: "acme", parent }),
  ),
  "collections.update": onCollection(
    async ({ eve, collectionId }) =>
      () =>
        eve.collections.update({ collectionId, title: "Mine" }),
  ),
  "collections.remove": onCollection(
    async ({ eve, collectionId }) =>
      () =>
        eve.collections.remove({ collectionId }),
  ),
  "collections.move": onCollection(
    async ({ eve, collectionId }) =>
      () =>
        eve.collections.move({ collectionId, parent: null }),
  ),
  "collections.move#into": onCollection(async ({ eve, collectionId: parent }) => {
    const { id: collectionId } = await eve.collections.create({ organizationId: "acme" });
    return () => eve.collections.move({ collectionId, parent });
  }),
  "collections.transfer": onCollection(
    async ({ eve, collectionId }) =>
      () =>
        eve.collections.transfer({ collectionId, organization: "gamma" }),
  ),
  "spaces.create": onCollection(
    async ({ eve, collectionId: parent }) =>
      () =>
        eve.spaces.create({ organizationId: "acme", parent }),
  ),
  "spaces.update": onSpace(
    async ({ eve, spaceId }) =>
      () =>
        eve.spaces.update({ spaceId, title: "Mine", defaultLevel: "read" }),
  ),
  "spaces.remove": onSpace(
    async ({ eve, spaceId }) =>
      () =>
        eve.spaces.remove({ spaceId }),
  ),
  "spaces.restore": {
    on: "space",
    // What lies in the trash is transferred with its collection alone.
    flights: (Object.keys(FLIGHTS) as Flight[]).filter((name) => name !== "itself is transferred"),
    run: async ({ eve, spaceId }) => {
      await eve.spaces.remove({ spaceId });
      return () => eve.spaces.restore({ spaceId });
    },
  },
  "spaces.move": onSpace(
    async ({ eve, spaceId }) =>
      () =>
        eve.spaces.move({ spaceId, parent: null }),
  ),
  "spaces.move#into": onCollection(async ({ eve, collectionId: parent }) => {
    const { id: spaceId } = await eve.spaces.create({ organizationId: "acme" });
    return () => eve.spaces.move({ spaceId, parent });
  }),
  "spaces.duplicate": onSpace(
    async ({ eve, spaceId }) =>
      () =>
        eve.spaces.duplicate({ spaceId }),
  ),
  "spaces.transfer": onSpace(
    async ({ eve, spaceId }) =>
      () =>
        eve.spaces.transfer({ spaceId, organization: "gamma" }),
  ),
  ...grants("space"),
  ...grants("collection"),
  "linkInvites.create": onSpace(
    async ({ eve, spaceId }) =>
      () =>
        eve.linkInvites.create({ ...link, space: spaceId }),
  ),
  "linkInvites.create#collection": onCollection(
    async ({ eve, collectionId }) =>
      () =>
        eve.linkInvites.create({ ...link, collection: collectionId }),
  ),
  "linkInvites.update": onSpace(async ({ eve, spaceId }) => {
    const { id: inviteId } = await eve.linkInvites.create({ ...link, space: spaceId });
    return () => eve.linkInvites.update({ ...link, inviteId, level: "edit" });
  }),
  "changeRequests.create": onSpace(
    async ({ eve, spaceId }) =>
      () =>
        eve.changeRequests.create({ spaceId }),
  ),
  "changeRequests.update": onSpace(async (world) => {
    const one = await opened(world, admin);
    return () => world.eve.changeRequests.update({ ...one, subject: "Mine" });
  }),
  "changeRequests.edit": onSpace(async (world) => {
    const one = await opened(world, admin);
    return () => world.eve.changeRequests.edit({ ...one, changes: [insert] });
  }),
  "changeRequests.merge": onSpace(async (world) => {
    const one = await opened(world, admin);
    return () => world.eve.changeRequests.merge(one);
  }),
  "changeRequests.pull": onSpace(async (world) => {
    const [one, other] = [await opened(world, admin), await opened(world, admin)];
    await admin.changeRequests.merge(other);
    return () => world.eve.changeRequests.pull(one);
  }),
  "reviews.submit": onSpace(async (world) => {
    const one = await opened(world, admin);
    return () => world.eve.reviews.submit({ ...one, status: "approved" });
  }),
  "requestedReviewers.request": onSpace(async (world) => {
    const one = await opened(world, admin);
    return () => world.eve.requestedReviewers.request({ ...one, users: ["bob"] });
  }),
  "requestedReviewers.remove": onSpace(async (world) => {
    const one = await opened(world, admin);
    await world.eve.requestedReviewers.request({ ...one, users: ["bob"] });
    return () => world.eve.requestedReviewers.remove({ ...one, userId: "bob" });
  }),
  ...comments("comments"),
  ...comments("changeRequestComments"),
  "changeRequestImport.importContent": onSpace(async (world) => {
    const one = await opened(world, admin);
    return () => world.eve.changeRequestImport.importContent({ ...one, ...source });
  }),
  "changeRequestImport.importIntoPage": onSpace(async (world) => {
    const { at, pageId } = await openedWithPage(world);
    return () => world.eve.changeRequestImport.importIntoPage({ ...at, pageId, ...source });
  }),
  "contentImport.importContent": onSpace(
    async ({ eve, spaceId }) =>
      () =>
        eve.contentImport.importContent({ spaceId, ...source }),
  ),
  "contentImport.importIntoPage": onSpace(async (world) => {
    const { at, pageId } = await openedWithPage(world);
    await admin.changeRequests.merge(at);
    const { eve, spaceId } = world;
    return () => eve.contentImport.importIntoPage({ spaceId, pageId, ...source });
  }),
  "git.importRepository": onSpace(
    async ({ eve, spaceId }) =>
      () =>
        eve.git.importRepository({ spaceId, ...remote }),
  ),
  "git.exportRepository": onSpace(
    async ({ eve, spaceId }) =>
      () =>
        eve.git.exportRepository({ spaceId, ...remote, commitMessage: "Mine" }),
  ),
  "git.removeLegacyInstallation": onSpace(async ({ eve, spaceId }) => {
    await eve.gitSync.update({ spaceId, ...remote });
    return () => eve.git.removeLegacyInstallation({ spaceId });
  }),
  "gitSync.update": onSpace(
    async ({ eve, spaceId }) =>
      () =>
        eve.gitSync.update({ spaceId, ...remote }),
  ),
  "gitSync.remove": onSpace(async ({ eve, spaceId }) => {
    await eve.gitSync.update({ spaceId, ...remote });
    return () => eve.gitSync.remove({ spaceId });
  }),
  "templates.applyTemplate": onSpace(
    async ({ eve, spaceId }) =>
      () =>
        eve.templates.applyTemplate({ spaceId, id: TEMPLATES[0]!.id }),
  ),
  "computed.fill": {
    on: "space",
    // Integrations hands in what was made for an organization; who is its member does not matter.
    flights: ["itself is transferred", "is transferred with what it lies in"],
    run: async ({ spaceId }) => {
      const integrations = t.call({ kind: "service", service: "integrations" });
      const by = { integration: "models", installation: "i1", organization: "acme" };
      return () => integrations.computed.fill({ spaceId, key: "key", inputs: "inputs", pages: [], by });
    },
  },
  "translations.create": {
    on: "space",
    // An administrator has no need of grants: that they go, or are lowered, takes nothing away.
    role: "admin",
    flights: [
      "itself is transferred",
      "is transferred with what it lies in, from its administrator",
      "is held, and its member leaves the organization",
      "is held, and its member's role there is lowered",
    ],
    run: async ({ eve, spaceId }) => {
      const input = { organizationId: "acme", source: { space: spaceId, language: "en" }, language: "de" };
      return () => eve.translations.create(input);
    },
  },
};

/**
 * What no space or collection decides on, but the role in an organization alone, here or in orgs. Specifications,
 * translations and their glossary are the organization's, and stay when a space goes; a run of a translation
 * reads and writes spaces only while they are the organization's too (`translations/running`).
 */
const decidedByRole = [
  "spaces.createOnce",
  "linkInvites.remove",
  "linkInvites.accept",
  "openapi.create",
  "openapi.createOrUpdate",
  "openapi.update",
  "openapi.remove",
  "translations.update",
  "translations.remove",
  "translations.run",
  "translationsGlossary.update",
  "storage.upload",
  "storage.take",
  // Of the integrations service alone: nobody's rights over a space decide.
  "computed.forget",
];

const procedures = router._def.procedures as object as Record<string, { _def: { type: string } }>;
const mutations = Object.keys(procedures).filter((name) => procedures[name]!._def.type === "mutation");

test("every rule that writes is in the table", () => {
  const tested = Object.keys(writes).map((name) => name.split("#")[0]!);
  expect([...new Set([...tested, ...decidedByRole])].sort()).toEqual(mutations.sort());
});

const cases = Object.entries(writes).flatMap(([name, { flights = Object.keys(FLIGHTS) as Flight[] }]) =>
  flights.map((flight) => [name, flight] as const),
);

/** What succeeds for callers who may not see that there is anything. */
const removals = ["collections.remove", "spaces.remove", "git.removeLegacyInstallation", "gitSync.remove"];

test.each(cases)("%s refuses when what it is about %s while it waits", async (name, flight) => {
  const { on, run } = writes[name]!;
  const { by, change, ...ofMember } = FLIGHTS[flight];
  const { world, outer } = await worldOf({ by, role: writes[name]!.role ?? ofMember.role });
  const rule = await run(world);

  const transaction = await t.db.startTransaction().execute();
  const ctx = { ...t.context(t.user({ acme: "admin", beta: "admin" }, { id: "ada" })), db: transaction };
  await (change as Change)(ctx, by === "around" ? "collection" : on, outer ?? world[`${on}Id`]);
  const outcome = rule().then(
    () => "done",
    (error: { code?: string }) => error.code,
  );
  const waited = await waitsFor(t.db, transaction, outcome);
  const changed = await everything(transaction);
  await transaction.commit().execute();

  // A removal of what one may not see ends like one of what is not there.
  expect(await outcome).toMatch(
    removals.includes(name) ? /^(done|FORBIDDEN|CONFLICT)$/ : /^(NOT_FOUND|FORBIDDEN|CONFLICT)$/,
  );
  // A move calls orgs before it comes to what is held.
  expect(waited || by === "organization").toBe(true);
  expect(await everything(t.db)).toEqual(changed);
});

/** Eve has a role in the organization and the role `create` on the things: by it, or by a grant on them or around them. */
async function worldOf({ by, role }: Pick<(typeof FLIGHTS)[Flight], "by" | "role">) {
  t.directory.member("acme", { user: "eve", role, teams: [] });
  const eve = t.as({ acme: role, gamma: "create" }, { id: "eve" });
  const closed = async () => {
    const { id: collectionId } = await admin.collections.create({ organizationId: "acme" });
    await admin.collections.update({ collectionId, defaultLevel: null });
    return collectionId;
  };
  const grant = (target: string) =>
    t.db
      .insertInto("content_grant")
      .values({ target, subject: "eve", subject_kind: "user", organization: "acme", role: "create" })
      .execute();
  if (by === "organization") {
    const { id: collectionId } = await admin.collections.create({ organizationId: "acme" });
    return { world: { eve, spaceId: await t.space(), collectionId } };
  }
  if (by === "itself") {
    const world = { eve, spaceId: await t.space({ default_level: null }), collectionId: await closed() };
    await grant(world.spaceId);
    await grant(world.collectionId);
    return { world };
  }
  const outer = await closed();
  await grant(outer);
  const { id: collectionId } = await admin.collections.create({ organizationId: "acme", parent: outer });
  return {
    outer,
    world: { eve, collectionId, spaceId: await t.space({ id: newId(), parent: collectionId }) },
  };
}

/** A digest of every table. */
async function everything(db: Pick<typeof t.db, "getExecutor">) {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema() order by 1`.execute(t.db);
  const digests = tables.map(
    ({ name }) => sql`select ${name} as name,
      md5(coalesce(string_agg(r::text, ',' order by r::text), '')) as digest from ${sql.table(name)} r`,
  );
  const { rows } = await sql<{
    name: string;
    digest: string;
  }>`${sql.join(digests, sql` union all `)}`.execute(db);
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
