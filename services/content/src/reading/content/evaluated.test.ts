import { type Block, plainText } from "@octavo/markdown/document/nodes";
import { transact } from "@octavo/shared/database/transact";
import { newId } from "@octavo/shared/ids";
import { afterAll, expect, test } from "vitest";
import { Change } from "../../review/change-requests/schema.js";
import { commitPrimary } from "../../revisions/primary.js";
import { hashOf, keepBodies } from "../../store/bodies.js";
import type { EntryFields } from "../../store/merge-entry.js";
import { type Entry, lockBranch } from "../../store/version.js";
import { contentTest } from "../../testing/content.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });

const expr = (source: string) => `<code class="expression">${source}</code>`;
const text = `---
vars:
  level: 3
---

# About

${expr("space.vars.product")} ${expr("page.vars.level")} ${expr("page.vars.missing")}

{% if space.vars.beta %}
Beta.
{% endif %}

{% if visitor.claims.plan == "pro" %}
Pro.
{% endif %}

*   kept   as it is
`;

/** A space with variables, a page that reads them, and the same text as a reusable content. */
async function spaceWithVariables() {
  const spaceId = await t.space();
  const entry = (fields: Pick<Entry, "kind" | "title"> & EntryFields): Entry => {
    const nothing = { parent: null, slug: null, body: null, git_path: null, git_oid: null, updated_at: null };
    return {
      id: newId(),
      position: "",
      ...nothing,
      props: {},
      created_at: new Date(0).toISOString(),
      ...fields,
    } as Entry;
  };
  const variable = (title: string, value: string | boolean) =>
    entry({ kind: "variable", title, props: { value } });
  await transact(t.ctx, async (ctx) => {
    await keepBodies(ctx, spaceId, [text]);
    const note = entry({ kind: "reusable", title: "Note", body: hashOf(text), git_path: "n.md" });
    const put = [variable("product", "Octavo"), variable("beta", true), note];
    const head = await lockBranch(ctx, spaceId);
    await commitPrimary(ctx, { space: spaceId, head, type: "edits", changes: { put, remove: [] } });
  });
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const changes = [{ operation: "insert_page" as const, document: { markdown: text } }];
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
  const { pages } = await admin.changeRequestContent.pages({ spaceId, changeRequestId });
  return { at: { spaceId, changeRequestId, pageId: pages[0]!.id }, spaceId };
}

const wordsOf = ({ nodes }: { nodes: unknown[] }) =>
  nodes.map((node) => plainText([node as Block])).filter((words) => words !== "");

test("evaluated=true fills in variables, and keeps or drops conditional blocks", async () => {
  const { at } = await spaceWithVariables();
  const evaluated = "true" as const;
  const document = await admin.changeRequestContent.pageDocument({ ...at, evaluated });
  expect(wordsOf(document)).toEqual(["Octavo 3 ", "Beta.", "kept   as it is"]);
  const page = await admin.changeRequestContent.page({ ...at, evaluated, format: "document" });
  expect(page).toMatchObject({ document });
  const shown = (await admin.changeRequestContent.page({ ...at, evaluated })) as { markdown: string };
  expect(shown.markdown).toBe(
    "---\nvars:\n  level: 3\n---\n\n# About\n\nOctavo 3&#x20;\n\nBeta.\n\n* kept   as it is\n",
  );
});

test("without evaluated the source is returned byte for byte, and the document has its expressions", async () => {
  const { at } = await spaceWithVariables();
  expect(await admin.changeRequestContent.page(at)).toMatchObject({ markdown: text });
  const document = await admin.changeRequestContent.pageDocument(at);
  expect(JSON.stringify(document)).toContain('"expression":"space.vars.product"');
  expect(document.nodes.map(({ type }) => type)).toEqual(["paragraph", "if", "if", "list-unordered"]);
});

test("deterministic-only leaves what a visitor decides", async () => {
  const { at } = await spaceWithVariables();
  const evaluated = "deterministic-only" as const;
  const document = await admin.changeRequestContent.pageDocument({ ...at, evaluated });
  expect(document.nodes.map(({ type }) => type)).toEqual(["paragraph", "paragraph", "if", "list-unordered"]);
});

test("a text without expressions stays byte for byte as it is, evaluated or not", async () => {
  const spaceId = await t.space();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const markdown = "# A\n\n*   odd   *form*\n";
  const changes = [{ operation: "insert_page" as const, document: { markdown } }];
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
  const { pages } = await admin.changeRequestContent.pages({ spaceId, changeRequestId });
  const at = { spaceId, changeRequestId, pageId: pages[0]!.id, evaluated: "true" as const };
  expect(await admin.changeRequestContent.page(at)).toMatchObject({ markdown });
});

test("a reusable content reads the variables of the space, and none of a page", async () => {
  const { spaceId } = await spaceWithVariables();
  const { reusableContents } = await admin.content.revision({ spaceId });
  const at = { spaceId, reusableContentId: reusableContents[0]!.id };
  const document = await admin.content.reusableContentDocument({ ...at, evaluated: "true" });
  expect(wordsOf(document)).toEqual(["Octavo  ", "Beta.", "kept   as it is"]);
});

test("variables are those of the version that is read", async () => {
  const { spaceId, at } = await spaceWithVariables();
  const before = await admin.changeRequestContent.pageDocument({ ...at, evaluated: "true" });
  await transact(t.ctx, async (ctx) => {
    const head = await lockBranch(ctx, spaceId);
    const { variables } = await admin.content.revision({ spaceId });
    expect(variables).toEqual({ product: "Octavo", beta: true });
    const rows = await ctx.db
      .selectFrom("entry")
      .select("id")
      .where("branch", "=", spaceId)
      .where("kind", "=", "variable")
      .execute();
    const remove = rows.map(({ id }) => id);
    await commitPrimary(ctx, { space: spaceId, head, type: "edits", changes: { put: [], remove } });
  });
  expect((await admin.content.revision({ spaceId })).variables).toBeUndefined();
  expect(await admin.changeRequestContent.pageDocument({ ...at, evaluated: "true" })).toEqual(before);
});

test.each([
  ["visitor.claims.plan == 'pro'", true],
  ["", true],
  ["plan =", false],
  ["x".repeat(1025), false],
])("a page's condition %j is taken: %s", (condition, taken) => {
  const change = { operation: "insert_page", title: "New", document: {}, condition };
  const { success, error } = Change.safeParse(change);
  expect(success).toBe(taken);
  if (!taken) expect(error!.issues.map(({ path }) => path.join("."))).toContain("condition");
});
