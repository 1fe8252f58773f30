import { AuditRecorded } from "@octavo/shared/contracts/events/audit";
import { newId } from "@octavo/shared/ids";
import { operationsOf } from "@octavo/shared/rest/routes";
import { emitted } from "@octavo/shared/testing/emitted";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importContentJob } from "./import/jobs.js";
import { serve } from "./import/testing.js";
import { router } from "./router.js";
import { contentTest } from "./testing/content.js";

const t = await contentTest();
beforeAll(() => t.doJobs(importContentJob));
const servers: { close(): Promise<unknown> }[] = [];
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await t.drop();
});
const admin = t.as({ acme: "admin", beta: "admin" }, { id: "ada" });

interface Written {
  action: string;
  target: string;
  /** The organizations that it is recorded for; `acme` by default. */
  organizations?: string[];
}

const collection = async () => (await admin.collections.create({ organizationId: "acme" })).id;
const translation = async () => ({
  organizationId: "acme",
  language: "de",
  source: { space: await t.space(), language: "en" },
});
const SOURCE = { url: "https://api.example/openapi.yaml?key=hunter2" };
const change = { operation: "insert_page" as const, document: { markdown: "# Page\n\nText.\n" } };

/** A text at an address, as an import names it. */
async function imported() {
  const server = await serve({ "/page": "# Page\n" });
  servers.push(server);
  return { url: `${server.url}/page`, source: "markdown" as const };
}

/** The ids of the pages of a space, after one was merged into it. */
async function merged(spaceId: string) {
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes: [change] });
  await admin.changeRequests.merge({ spaceId, changeRequestId });
  return (await admin.content.pages({ spaceId })).pages.map(({ id }) => id);
}

/** A change request with a page in it. */
async function edited() {
  const spaceId = await t.space();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes: [change] });
  return { spaceId, changeRequestId };
}

/** A change request with a requested reviewer. */
async function requested() {
  const one = await edited();
  t.directory.member("acme", { user: "bob", role: "review", teams: [] });
  await admin.requestedReviewers.request({ ...one, users: ["bob"] });
  return one;
}

/** The writes of the grants on a space or a collection. */
function grants(
  name: "spaceGrants" | "collectionGrants",
  action: string,
  make: () => Promise<{ id: string; input: { spaceId: string } & { collectionId: string } }>,
): Record<string, () => Promise<Written>> {
  const call = admin[name] as (typeof admin)["spaceGrants"];
  const granted = async (
    write?: (input: { spaceId: string }, ids: { userId: string; teamId: string }) => Promise<unknown>,
  ) => {
    const { id, input } = await make();
    const [userId, teamId] = [newId(), newId()];
    t.directory.member("acme", { user: userId, role: "read", teams: [] });
    t.directory.team("acme", teamId);
    await call.invite({ ...input, users: [userId], teams: [teamId], role: "read" });
    if (write) await forget(id);
    await write?.(input, { userId, teamId });
    return { action, target: id };
  };
  return {
    [`${name}.invite`]: () => granted(),
    [`${name}.updateUser`]: () =>
      granted((input, { userId }) => call.updateUser({ ...input, userId, role: "edit" })),
    [`${name}.removeUser`]: () => granted((input, { userId }) => call.removeUser({ ...input, userId })),
    [`${name}.updateTeam`]: () =>
      granted((input, { teamId }) => call.updateTeam({ ...input, teamId, role: "edit" })),
    [`${name}.removeTeam`]: () => granted((input, { teamId }) => call.removeTeam({ ...input, teamId })),
  };
}

/** The writes of comments and replies on the primary content or on a change request. */
function comments(name: "comments" | "changeRequestComments"): Record<string, () => Promise<Written>> {
  const call = admin[name] as (typeof admin)["comments"];
  const body = { markdown: "hunter2" };
  const posted = async () => {
    const { spaceId, changeRequestId } = await edited();
    const at = { spaceId, changeRequestId };
    return { ...at, commentId: (await call.post({ ...at, body })).id };
  };
  const replied = async () => {
    const one = await posted();
    return { ...one, commentReplyId: (await call.postReply({ ...one, body })).id };
  };
  const done = (deed: string, target: string) => ({ action: `comment.${deed}`, target });
  const doneToReply = (deed: string, target: string) => ({ action: `comment-reply.${deed}`, target });
  return {
    [`${name}.post`]: async () => done("create", (await posted()).commentId),
    [`${name}.update`]: async () => {
      const one = await posted();
      const changes = { body: { markdown: "hunter2 again" }, resolved: true, addedReactions: ["👍"] };
      await call.update({ ...one, ...changes });
      await call.update({ ...one, ...changes });
      return done("update", one.commentId);
    },
    [`${name}.remove`]: async () => {
      const one = await posted();
      await call.remove(one);
      await call.remove(one);
      return done("delete", one.commentId);
    },
    [`${name}.postReply`]: async () => doneToReply("create", (await replied()).commentReplyId),
    [`${name}.updateReply`]: async () => {
      const one = await replied();
      await call.updateReply({ ...one, addedReactions: ["👍"] });
      return doneToReply("update", one.commentReplyId);
    },
    [`${name}.removeReply`]: async () => {
      const one = await replied();
      await call.removeReply(one);
      return doneToReply("delete", one.commentReplyId);
    },
  };
}

/** Every write, done once; returns what it was done to. */
const writes: Record<string, () => Promise<Written>> = {
  "collections.create": async () => ({ action: "collection.create", target: await collection() }),
  "collections.update": async () => {
    const target = await collection();
    await admin.collections.update({ collectionId: target, title: "Shelf" });
    return { action: "collection.update", target };
  },
  "collections.remove": async () => {
    const target = await collection();
    await admin.collections.remove({ collectionId: target });
    return { action: "collection.delete", target };
  },
  "collections.move": async () => {
    const [parent, target] = [await collection(), await collection()];
    await admin.collections.move({ collectionId: target, parent });
    return { action: "collection.move", target };
  },
  "collections.transfer": async () => {
    const target = await collection();
    await admin.collections.transfer({ collectionId: target, organization: "beta" });
    return { action: "collection.transfer", target, organizations: ["acme", "beta"] };
  },
  "spaces.create": async () => {
    const { id } = await admin.spaces.create({ organizationId: "acme", title: "Handbook" });
    return { action: "space.create", target: id };
  },
  "templates.applyTemplate": async () => {
    const target = await t.space();
    await admin.templates.applyTemplate({ spaceId: target, id: "handbook" });
    return { action: "space.applyTemplate", target };
  },
  "spaces.update": async () => {
    const target = await t.space();
    await admin.spaces.update({ spaceId: target, title: "Handbook" });
    return { action: "space.update", target };
  },
  "spaces.remove": async () => {
    const target = await t.space();
    await admin.spaces.remove({ spaceId: target });
    return { action: "space.delete", target };
  },
  "spaces.restore": async () => {
    const target = await t.space();
    await admin.spaces.remove({ spaceId: target });
    await admin.spaces.restore({ spaceId: target });
    return { action: "space.restore", target };
  },
  "spaces.move": async () => {
    const [parent, target] = [await collection(), await t.space()];
    await admin.spaces.move({ spaceId: target, parent });
    return { action: "space.move", target };
  },
  "spaces.duplicate": async () => {
    const { id } = await admin.spaces.duplicate({ spaceId: await t.space() });
    return { action: "space.duplicate", target: id };
  },
  "spaces.transfer": async () => {
    const target = await t.space();
    await admin.spaces.transfer({ spaceId: target, organization: "beta" });
    return { action: "space.transfer", target, organizations: ["acme", "beta"] };
  },
  "changeRequests.create": async () => {
    const { id } = await admin.changeRequests.create({ spaceId: await t.space() });
    return { action: "change-request.create", target: id };
  },
  "changeRequests.update": async () => {
    const { spaceId, changeRequestId } = await edited();
    await admin.changeRequests.update({ spaceId, changeRequestId, subject: "Page", status: "open" });
    return { action: "change-request.update", target: changeRequestId };
  },
  "changeRequests.edit": async () => {
    const { changeRequestId } = await edited();
    return { action: "change-request.edit", target: changeRequestId };
  },
  "changeRequests.merge": async () => {
    const { spaceId, changeRequestId } = await edited();
    await admin.changeRequests.merge({ spaceId, changeRequestId });
    return { action: "change-request.merge", target: changeRequestId };
  },
  "changeRequests.pull": async () => {
    const { spaceId, changeRequestId } = await edited();
    const { id: other } = await admin.changeRequests.create({ spaceId });
    await admin.changeRequests.edit({ spaceId, changeRequestId: other, changes: [change] });
    await admin.changeRequests.merge({ spaceId, changeRequestId: other });
    await admin.changeRequests.pull({ spaceId, changeRequestId });
    return { action: "change-request.pull", target: changeRequestId };
  },
  "reviews.submit": async () => {
    const spaceId = await t.space();
    const bea = t.as({ acme: "admin" }, { id: "bea" });
    const { id: changeRequestId } = await bea.changeRequests.create({ spaceId });
    await admin.reviews.submit({ spaceId, changeRequestId, status: "approved" });
    return { action: "change-request.review", target: changeRequestId };
  },
  "requestedReviewers.request": async () => ({
    action: "change-request.reviewers.request",
    target: (await requested()).changeRequestId,
  }),
  "requestedReviewers.remove": async () => {
    const one = await requested();
    await admin.requestedReviewers.remove({ ...one, userId: "bob" });
    return { action: "change-request.reviewers.remove", target: one.changeRequestId };
  },
  "git.importRepository": async () => {
    const target = await t.space();
    const url = "https://ada:hunter2@git.example/handbook.git?token=hunter2";
    await admin.git.importRepository({ spaceId: target, url, ref: "refs/heads/main" });
    return { action: "space.git.importRepository", target };
  },
  "git.exportRepository": async () => {
    const target = await t.space();
    const url = "https://ada:hunter2@git.example/handbook.git?token=hunter2";
    await admin.git.exportRepository({
      spaceId: target,
      url,
      ref: "refs/heads/main",
      commitMessage: "Export",
    });
    return { action: "space.git.exportRepository", target };
  },
  "gitSync.update": async () => {
    const target = await t.space();
    const url = "https://ada:hunter2@git.example/handbook.git";
    await admin.gitSync.update({ spaceId: target, url, ref: "refs/heads/main" });
    return { action: "space.git.sync.update", target };
  },
  "gitSync.remove": async () => {
    const target = await t.space();
    await admin.gitSync.remove({ spaceId: target });
    return { action: "space.git.sync.remove", target };
  },
  "git.removeLegacyInstallation": async () => {
    const target = await t.space();
    await admin.git.removeLegacyInstallation({ spaceId: target });
    return { action: "space.git.removeLegacyInstallation", target };
  },
  "contentImport.importContent": async () => {
    const target = await t.space();
    await admin.contentImport.importContent({ spaceId: target, ...(await imported()) });
    return { action: "space.content.import", target };
  },
  "contentImport.importIntoPage": async () => {
    const spaceId = await t.space();
    const [pageId] = await merged(spaceId);
    await forget(spaceId);
    await admin.contentImport.importIntoPage({ spaceId, pageId: pageId!, ...(await imported()) });
    return { action: "space.content.import", target: spaceId };
  },
  "changeRequestImport.importContent": async () => {
    const spaceId = await t.space();
    const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
    await forget(changeRequestId);
    await admin.changeRequestImport.importContent({ spaceId, changeRequestId, ...(await imported()) });
    return { action: "change-request.import", target: changeRequestId };
  },
  "changeRequestImport.importIntoPage": async () => {
    const spaceId = await t.space();
    const [pageId] = await merged(spaceId);
    const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
    const into = { spaceId, changeRequestId, pageId: pageId! };
    await admin.changeRequestImport.importIntoPage({ ...into, ...(await imported()) });
    return { action: "change-request.import", target: changeRequestId };
  },
  "storage.upload": async () => {
    const file = { name: "acme.woff2", type: "font/woff2" as const, size: 9 };
    const upload = { organizationId: "acme", kind: "customization_font" as const, file };
    return { action: "storage-upload.create", target: (await admin.storage.upload(upload)).key };
  },
  "openapi.create": async () => {
    const { id } = await admin.openapi.create({ organizationId: "acme", slug: "created", source: SOURCE });
    return { action: "openapi-spec.create", target: id };
  },
  "openapi.createOrUpdate": async () => {
    const one = { organizationId: "acme", specSlug: "put", source: SOURCE };
    const { id } = await admin.openapi.createOrUpdate(one);
    await admin.openapi.createOrUpdate(one);
    return { action: "openapi-spec.update", target: id };
  },
  "openapi.update": async () => {
    const { id } = await admin.openapi.create({ organizationId: "acme", slug: "updated", source: SOURCE });
    await admin.openapi.update({ organizationId: "acme", specSlug: "updated", visibility: "public" });
    return { action: "openapi-spec.update", target: id };
  },
  "openapi.remove": async () => {
    const { id } = await admin.openapi.create({ organizationId: "acme", slug: "removed", source: SOURCE });
    await admin.openapi.remove({ organizationId: "acme", specSlug: "removed" });
    return { action: "openapi-spec.delete", target: id };
  },
  "translations.create": async () => {
    const { id } = await admin.translations.create(await translation());
    return { action: "translation.create", target: id };
  },
  "translations.update": async () => {
    const { id } = await admin.translations.create(await translation());
    const instructions = { object: "document" as const, data: {}, nodes: [] };
    await admin.translations.update({ organizationId: "acme", translationId: id, instructions });
    return { action: "translation.update", target: id };
  },
  "translations.run": async () => {
    const { id } = await admin.translations.create(await translation());
    await admin.translations.run({ organizationId: "acme", translationId: id });
    return { action: "translation.run", target: id };
  },
  "translations.remove": async () => {
    const { id } = await admin.translations.create(await translation());
    await admin.translations.remove({ organizationId: "acme", translationId: id });
    return { action: "translation.delete", target: id };
  },
  "translationsGlossary.update": async () => {
    const operations = [{ type: "insert" as const, translations: { en: "hunter2" } }];
    await admin.translationsGlossary.update({ organizationId: "acme", operations });
    return { action: "glossary.update", target: "acme" };
  },
  ...comments("comments"),
  ...comments("changeRequestComments"),
  ...grants("spaceGrants", "space.permissions.update", async () => {
    const id = await t.space();
    return { id, input: { spaceId: id } as never };
  }),
  ...grants("collectionGrants", "collection.permissions.update", async () => {
    const id = await collection();
    return { id, input: { collectionId: id } as never };
  }),
};

const recorded = async (target: string, action: string) =>
  (await emitted(t, AuditRecorded)).filter((entry) => entry.target.id === target && entry.action === action);

const forget = (target: string) => t.db.deleteFrom("outbox").where("aggregate", "=", target).execute();

/** Orgs records these, which it does for content. */
const isOfOrgs = (name: string) => name.startsWith("linkInvites.");
const mutations = operationsOf(router).filter(({ type, name }) => type === "mutation" && !isOfOrgs(name));

test.each(mutations.map(({ name }) => name))("%s is recorded once", async (name) => {
  const write = writes[name];
  if (!write)
    throw new Error(`${name} is not in the table of writes: record it with audit(), and add it here`);
  const { action, target, organizations = ["acme"] } = await write();
  const entries = await recorded(target, action);
  expect(entries.map(({ organization }) => organization)).toEqual(organizations);
  for (const entry of entries) {
    const actor = { type: "user", id: "ada", displayName: "Name of ada" };
    expect(entry).toMatchObject({ service: "content", actor, token: "token-1" });
  }
  expect(JSON.stringify(entries)).not.toContain("hunter2");
});

test("PATCH /spaces/{spaceId} is recorded with what the fields were and are", async () => {
  const spaceId = await t.space({ title: "Old" });
  await admin.spaces.update({ spaceId, title: "New", defaultLevel: "read" });
  const [entry] = await recorded(spaceId, "space.update");
  expect(entry!.details).toEqual({
    title: { from: "Old", to: "New" },
    defaultLevel: { from: "inherit", to: "read" },
  });
});

test("a write that is refused or ends in a conflict is not recorded", async () => {
  const target = await t.space();
  const reader = t.as({ acme: "read" }, { id: "reader" });
  await expect(reader.spaces.update({ spaceId: target, title: "Mine" })).rejects.toThrow();
  await expect(admin.spaces.transfer({ spaceId: target, organization: "acme" })).rejects.toThrow();
  expect(await recorded(target, "space.update")).toEqual([]);
  expect(await recorded(target, "space.transfer")).toEqual([]);
});
