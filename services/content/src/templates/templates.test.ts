import { afterAll, expect, test } from "vitest";
import { contentTest } from "../testing/content.js";
import { TEMPLATES } from "./catalog.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });
const organizationId = "acme";

interface Shown {
  id: string;
  title: string;
  path?: string;
  pages?: Shown[];
}
const titlesOf = (pages: Shown[]): unknown[] =>
  pages.map(({ title, pages = [] }) => (pages.length > 0 ? [title, titlesOf(pages)] : title));
const pagesIn = async (spaceId: string) => (await admin.content.pages({ spaceId })).pages as Shown[];
const flat = (pages: Shown[]): Shown[] => pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);

test("templates are listed to everybody", async () => {
  const { items, count } = await t.as({}, { id: "anybody" }).templates.list({});
  expect(items.map(({ id }) => id)).toEqual([
    "blank",
    "product-docs",
    "api-reference",
    "handbook",
    "changelog",
  ]);
  expect(count).toBe(items.length);
});

test.each(TEMPLATES.map(({ id }) => id))(
  "a space that is created from %s has its pages, and every link leads somewhere",
  async (id) => {
    const space = await admin.spaces.create({ organizationId, title: "New", template: { id } });
    const pages = flat(await pagesIn(space.id));
    expect(pages.length).toBeGreaterThan(0);
    expect(space.revision).toBe((await admin.content.revision({ spaceId: space.id })).id);
    const { items: broken } = await admin.links.list({ spaceId: space.id, status: "broken" });
    expect(broken).toEqual([]);
    for (const { id: pageId, title } of pages) {
      const page = await admin.content.page({ spaceId: space.id, pageId, format: "document" });
      const text = JSON.stringify(page);
      // A block that was not understood would be shown as it is written.
      expect(text, title).not.toContain("{%");
      expect(title).not.toBe("Untitled");
    }
  },
);

test("pages are nested as the table of contents has them", async () => {
  const { id } = await admin.spaces.create({ organizationId, template: { id: "api-reference" } });
  expect(titlesOf(await pagesIn(id))).toEqual([
    "Overview",
    "Quickstart",
    "Authentication",
    ["Conventions", ["Errors", "Pagination", "Rate limits"]],
    ["Resources", ["Projects"]],
    "Webhooks",
    "Versions",
  ]);
  const page = await admin.content.pageAtPath({ spaceId: id, pagePath: "conventions/rate-limits" });
  expect(page).toMatchObject({ description: "How many requests are served, and how to tell." });
});

test("a template is added to an empty space, and behind the pages of one that is edited live, as one revision", async () => {
  const spaceId = await t.space({ edit_mode: "locked" });
  await admin.templates.applyTemplate({ spaceId, id: "blank" });
  expect(titlesOf(await pagesIn(spaceId))).toEqual(["Welcome"]);
  const again = admin.templates.applyTemplate({ spaceId, id: "handbook" });
  await expect(again).rejects.toMatchObject({ code: "CONFLICT", details: { reason: "space_locked" } });
  expect(titlesOf(await pagesIn(spaceId))).toEqual(["Welcome"]);
  const live = await t.space({ edit_mode: "live" });
  await admin.templates.applyTemplate({ spaceId: live, id: "blank" });
  const before = await admin.content.revision({ spaceId: live });
  await admin.templates.applyTemplate({ spaceId: live, id: "changelog" });
  const after = await admin.content.revision({ spaceId: live });
  expect(after.parents).toEqual([before.id]);
  expect(titlesOf(await pagesIn(live))).toEqual([
    "Welcome",
    "Changelog",
    "Coming next",
    ["Earlier versions", ["1.0"]],
  ]);
});

test("two templates that are applied to one empty space at once: one of them comes in", async () => {
  const spaceId = await t.space({ edit_mode: "locked" });
  const apply = () => admin.templates.applyTemplate({ spaceId, id: "blank" });
  const results = await Promise.allSettled([apply(), apply()]);
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await pagesIn(spaceId)).toHaveLength(1);
});

test("editors may not apply a template, readers of another organization see no space, an unknown one is 404", async () => {
  const spaceId = await t.space();
  const editor = t.as({ acme: "edit" }, { id: "editor" });
  await expect(editor.templates.applyTemplate({ spaceId, id: "blank" })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  const stranger = t.as({ beta: "admin" }, { id: "stranger" });
  const missing = { code: "NOT_FOUND" };
  await expect(stranger.templates.applyTemplate({ spaceId, id: "blank" })).rejects.toMatchObject(missing);
  for (const id of ["unknown", "../specs", "toString"])
    await expect(admin.templates.applyTemplate({ spaceId, id })).rejects.toMatchObject(missing);
  const params = { contentRefs: { spec: { kind: "openapi", spec: "pets" } } };
  const filled = admin.templates.applyTemplate({ spaceId, id: "blank", params });
  await expect(filled).rejects.toMatchObject({ code: "BAD_REQUEST" });
  expect(await pagesIn(spaceId)).toEqual([]);
});
