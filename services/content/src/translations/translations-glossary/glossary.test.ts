import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";

const t = await contentTest();
afterAll(t.drop);

let organizations = 0;
/** An administrator of an organization of its own. */
function glossaryOf() {
  const organizationId = `glossary-${++organizations}`;
  const admin = t.as({ [organizationId]: "admin" });
  const update = (...operations: Parameters<typeof admin.translationsGlossary.update>[0]["operations"]) =>
    admin.translationsGlossary.update({ organizationId, operations });
  const list = async () => (await admin.translationsGlossary.list({ organizationId })).items;
  return { organizationId, admin, update, list };
}

test("entries are inserted, changed and deleted in one go, and read by their ids", async () => {
  const { organizationId, admin, update, list } = glossaryOf();
  await update(
    { type: "insert", translations: { en: "space", de: "Bereich" } },
    { type: "insert", translations: { en: "page", de: "Seite" } },
  );
  const [space, page] = await list();
  expect(space).toMatchObject({ object: "glossary-entry", translations: { en: "space", de: "Bereich" } });
  await update(
    { type: "update", id: space!.id, translations: { en: "space", de: "Raum" } },
    { type: "delete", id: page!.id },
    { type: "insert", translations: { en: "block" } },
  );
  expect((await list()).map(({ translations }) => translations)).toEqual([
    { en: "space", de: "Raum" },
    { en: "block" },
  ]);
  const one = { organizationId, glossaryEntryId: space!.id };
  expect(await admin.translationsGlossary.get(one)).toMatchObject({
    id: space!.id,
    translations: { de: "Raum" },
  });
  const gone = admin.translationsGlossary.get({ organizationId, glossaryEntryId: page!.id });
  await expect(gone).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("one operation that is wrong changes nothing, and is named", async () => {
  const { update, list } = glossaryOf();
  const [insert, change] = [
    { type: "insert" as const, translations: { en: "space" } },
    { type: "update" as const, id: "unknown", translations: { en: "page" } },
  ];
  await expect(update(insert, change)).rejects.toMatchObject({
    code: "BAD_REQUEST",
    details: { issues: [{ path: "body.operations.1.id" }] },
  });
  await expect(update(insert, change, change)).rejects.toMatchObject({
    details: { issues: [{ path: "body.operations.2.id" }] },
  });
  for (const translations of [{}, { tlh: "x" }, { en: "" }, { en: "two\nlines" }, { en: "x".repeat(256) }])
    await expect(update({ type: "insert", translations })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  expect(await list()).toEqual([]);
});

test("each organization has its own, for its administrators", async () => {
  const { organizationId, update, list } = glossaryOf();
  await update({ type: "insert", translations: { en: "space" } });
  const { id } = (await list())[0]!;
  const other = glossaryOf();
  const foreign = other.update({ type: "update", id, translations: { en: "mine" } });
  await expect(foreign).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await other.update({ type: "delete", id });
  expect(await list()).toHaveLength(1);
  const input = { organizationId, operations: [{ type: "insert" as const, translations: { en: "page" } }] };
  const creator = t.as({ [organizationId]: "create" });
  await expect(creator.translationsGlossary.update(input)).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(creator.translationsGlossary.list({ organizationId })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  const stranger = t.as({ beta: "admin" }, { id: "stranger" });
  await expect(stranger.translationsGlossary.update(input)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const hidden = stranger.translationsGlossary.get({ organizationId, glossaryEntryId: id });
  await expect(hidden).rejects.toMatchObject({ code: "NOT_FOUND" });
});
