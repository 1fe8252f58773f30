import { createGuards } from "@octavo/shared/access";
import type { Needed } from "@octavo/shared/contracts/permissions";
import type { Role } from "@octavo/shared/contracts/roles";
import { errorBody, refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { flagProblems, type Guarded } from "@octavo/shared/testing/flags";
import { afterAll, beforeAll, expect, test } from "vitest";
import { flagsOf, PERMISSIONS } from "../permissions.js";
import { textOf } from "../specs/testing.js";
import { contentTest } from "../testing/content.js";
import { plant, randomTree, seeded, type Tree } from "../testing/trees.js";

// What a response lets the caller do, held against the operations themselves: for every flag of a space, a
// collection, a comment, a specification, a translation, and those of an organization that content guards, the operation
// that it stands for is called, by everybody, in random organizations.

const t = await contentTest();
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(() => t.drop());

const TREES = Number(process.env.FLAG_TREES ?? 3);
const SEED = Number(process.env.FLAG_SEED ?? 20262);
const UNKNOWN = "unknown";

type Person = Tree["people"][number];
type Caller = ReturnType<typeof t.as>;

const asPerson = ({ user, role, teams }: Person, { organization }: Tree): Caller =>
  t.as(role === undefined ? { elsewhere: "admin" } : { [organization]: role }, { id: user, teams });

/** Whether the guard on a thing lets a call through; what comes after the guard may refuse it for other reasons. */
async function isLetThrough(thing: string, call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (error) {
    const { status, body } = errorBody(error, "");
    if (status >= 500) throw error;
    const { message } = body.error;
    // A caller from elsewhere gets 404 for the organization, where the path names one.
    if (message === `${thing}: not found` || message === "Organization: not found") return false;
    return !(status === 403 && message.startsWith(`${thing}: `));
  }
}

type Operations = Record<string, () => Promise<unknown>>;

/** By flag, whether the guards on these things let its operation through. */
const guardedBy = (things: string[], operations: Operations): Guarded =>
  Object.fromEntries(
    Object.entries(operations).map(([flag, call]) => [
      flag,
      async () => {
        for (const thing of things) if (!(await isLetThrough(thing, call))) return false;
        return true;
      },
    ]),
  );

/** An operation that names a change request that is not there is refused for that after the guard. */
const onSpace = (caller: Caller, { organization: organizationId }: Tree, spaceId: string) => {
  const noChangeRequest = { spaceId, changeRequestId: UNKNOWN };
  return {
    view: () => caller.content.pages({ spaceId }),
    access: () => caller.content.revision({ spaceId }),
    comment: () => caller.comments.post({ spaceId, body: { markdown: "Seen" } }),
    edit: () => caller.changeRequests.create({ spaceId }),
    merge: () => caller.changeRequests.merge(noChangeRequest),
    review: () => caller.reviews.submit({ ...noChangeRequest, status: "approved" }),
    admin: () => caller.spaces.update({ spaceId, title: "Renamed" }),
    viewInviteLinks: () => caller.linkInvites.list({ organizationId, space: spaceId, limit: 1 }),
    triggerGitSync: () =>
      caller.git.importRepository({
        spaceId,
        url: "https://git.example.com/one.git",
        ref: "refs/heads/main",
      }),
    // Who installs on one space is decided by the integrations service, which calls this.
    installIntegration: async () => {
      const { undecided } = await caller.audience.standing({ organizationId, spaces: [spaceId] });
      if (undecided.length > 0) refuse("FORBIDDEN", "Space: is not the caller's to decide about");
    },
  };
};

const onCollection = (caller: Caller, { organization: organizationId }: Tree, collectionId: string) => ({
  view: () => caller.collections.get({ collectionId }),
  admin: () => caller.collections.update({ collectionId, title: "Renamed" }),
  viewInviteLinks: () => caller.linkInvites.list({ organizationId, collection: collectionId, limit: 1 }),
  create: () => caller.spaces.create({ organizationId, parent: collectionId }),
});

const SPACE = ["Space"];
const COLLECTION = ["Collection"];
const COMMENT = ["Space", "Comment"];

/** Holds the flags of spaces and collections against their operations; returns how many. */
async function compare(tree: Tree, person: Person): Promise<number> {
  const caller = asPerson(person, tree);
  let compared = 0;
  for (const { id: spaceId } of tree.spaces.slice(0, 4)) {
    const shown = await caller.spaces.get({ spaceId }).catch(() => undefined);
    const operations = onSpace(caller, tree, spaceId);
    expect([person.role, await flagProblems(shown?.permissions, guardedBy(SPACE, operations))]).toEqual([
      person.role,
      [],
    ]);
    compared += Object.keys(operations).length;
  }
  for (const { id: collectionId } of tree.collections.slice(0, 3)) {
    const shown = await caller.collections.get({ collectionId }).catch(() => undefined);
    const operations = onCollection(caller, tree, collectionId);
    const problems = await flagProblems(shown?.permissions, guardedBy(COLLECTION, operations));
    expect([person.role, problems]).toEqual([person.role, []]);
    compared += Object.keys(operations).length;
  }
  return compared;
}

/** Holds the flags of a comment of one's own, and one of somebody else's, against their operations. */
async function compareComments(tree: Tree, person: Person): Promise<number> {
  const caller = asPerson(person, tree);
  const admin = t.as({ [tree.organization]: "admin" }, { id: "ada" });
  const body = { markdown: "Said" };
  let compared = 0;
  for (const { id: spaceId } of tree.spaces.slice(0, 3)) {
    for (const author of [admin, caller]) {
      const comment = await author.comments.post({ spaceId, body }).catch(() => undefined);
      if (!comment) continue;
      const on = { spaceId, commentId: comment.id };
      const shown = await caller.comments.get(on).catch(() => undefined);
      const posted = await admin.comments.postReply({ ...on, body });
      const operations = {
        view: () => caller.comments.get(on),
        edit: () => caller.comments.update({ ...on, body: { markdown: "Other words" } }),
        reply: () => caller.comments.postReply({ ...on, body }),
        delete: () => caller.comments.remove(on),
      };
      const reply = await caller.comments
        .getReply({ ...on, commentReplyId: posted.id })
        .catch(() => undefined);
      const found: Record<string, boolean> = {};
      for (const [flag, isThrough] of Object.entries(guardedBy(COMMENT, operations)))
        found[flag] = await isThrough();
      const kept = Object.fromEntries(Object.entries(found).map(([flag, does]) => [flag, async () => does]));
      expect([person.role, await flagProblems(shown?.permissions, kept)]).toEqual([person.role, []]);
      if (author === admin)
        expect([person.role, await flagProblems(reply?.permissions, kept)]).toEqual([person.role, []]);
      compared += Object.keys(found).length;
    }
  }
  return compared;
}

/** Holds the flags of an organization that content guards, and those of what lies in it but in no space. */
async function compareTop({ organization: organizationId, spaces }: Tree, role: Role | null | undefined) {
  const caller = t.as(role === undefined ? { elsewhere: "admin" } : { [organizationId]: role });
  const admin = t.as({ [organizationId]: "admin" }, { id: "ada" });
  const source = { text: textOf() };
  const slug = `pets-${newId().toLowerCase()}`;
  const top = {
    createContent: () => caller.collections.create({ organizationId }),
    createOpenAPISpec: () => caller.openapi.create({ organizationId, slug, source }),
  };
  const { createContent, createOpenAPISpec } = flagsOf(role, "organization");
  expect([
    role,
    await flagProblems({ createContent, createOpenAPISpec }, guardedBy(["Organization"], top)),
  ]).toEqual([role, []]);

  const one = { organizationId, specSlug: `known-${slug}` };
  await admin.openapi.create({ organizationId, slug: one.specSlug, source });
  const spec = await caller.openapi.get(one).catch(() => undefined);
  const onSpec = {
    view: () => caller.openapi.get(one),
    edit: () => caller.openapi.createOrUpdate({ ...one, source }),
  };
  const things = ["Organization", "OpenAPI specification"];
  expect([role, await flagProblems(spec?.permissions, guardedBy(things, onSpec))]).toEqual([role, []]);

  const { id: translationId } = await admin.translations.create({
    organizationId,
    source: { space: spaces[0]!.id, language: "en" },
    language: "de",
  });
  const translation = { organizationId, translationId };
  const translated = await caller.translations.get(translation).catch(() => undefined);
  const onTranslation = {
    view: () => caller.translations.get(translation),
    edit: () => caller.translations.run(translation),
  };
  const guarded = guardedBy(["Organization", "Translation"], onTranslation);
  expect([role, await flagProblems(translated?.permissions, guarded)]).toEqual([role, []]);
}

test(`over ${TREES} random trees, every flag of permissions is what its operation does`, async () => {
  const random = seeded(SEED);
  let compared = 0;
  for (let index = 0; index < TREES; index++) {
    const tree = randomTree(random);
    await plant(t.ctx, tree);
    for (const { role, ...who } of tree.people)
      if (role !== undefined) t.directory.member(tree.organization, { ...who, role });
    for (const person of tree.people) {
      compared += await compare(tree, person);
      compared += await compareComments(tree, person);
      await compareTop(tree, person.role);
      compared += 6;
    }
  }
  expect(compared).toBeGreaterThan(TREES * 100);
});

const breakable = Object.keys(PERMISSIONS).filter((action) => /^(space|collection)\./.test(action));

test.each(breakable)(
  "a table in which %s is broken does not pass the comparison, which names it",
  async (action) => {
    const [thing = "", flag = ""] = action.split(".");
    const organization = newId();
    const tree = { organization, collections: [], spaces: [], people: [] };
    const admin = t.as({ [organization]: "admin" }, { id: "ada" });
    const caller = t.as({ [organization]: "edit" });
    const { id: spaceId } = await admin.spaces.create({ organizationId: organization });
    const { id: collectionId } = await admin.collections.create({ organizationId: organization });
    const guarded =
      thing === "space"
        ? guardedBy(SPACE, onSpace(caller, tree, spaceId))
        : guardedBy(COLLECTION, onCollection(caller, tree, collectionId));
    // Cast: the flags of either thing.
    const shownBy = (table: Record<string, Needed>) => {
      const { flagsOf } = createGuards(table as typeof PERMISSIONS);
      return (
        thing === "space"
          ? { ...flagsOf("edit", "space"), installIntegration: false }
          : flagsOf("edit", "collection")
      ) as Record<string, boolean>;
    };
    const sound = shownBy(PERMISSIONS);
    expect(await flagProblems(sound, guarded)).toEqual([]);
    const broken = shownBy({ ...PERMISSIONS, [action]: sound[flag] ? "admin" : "read" });
    expect(await flagProblems(broken, guarded)).toEqual([
      `${flag}: shown as ${!sound[flag]}, and ${sound[flag] ? "let through" : "refused"}`,
    ]);
  },
);
