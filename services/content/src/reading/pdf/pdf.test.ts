import { readPdf } from "@octavo/pdf/testing/reading";
import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { PNG, pdfTest } from "./testing.js";

// A process for each PDF takes long to start from sources where processors are busy.
const t = await contentTest();
const { api, fetchBytes } = await pdfTest(t);
afterAll(async () => {
  await api.close();
  await t.drop();
});
const admin = t.as({ acme: "admin" });
const stranger = t.as({ beta: "admin" });

/** A space with pages in a tree, as a change request brought them. */
async function handbook() {
  const spaceId = await t.space({ title: "Handbook" });
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId, subject: "Draft" });
  const at = { spaceId, changeRequestId };
  await admin.changeRequests.edit({
    ...at,
    changes: [{ operation: "insert_files", files: [{ name: "map.png", base64: PNG }] }],
  });
  const [file] = (await admin.changeRequestContent.files(at)).items;
  await admin.changeRequests.edit({
    ...at,
    changes: [
      {
        operation: "insert_page",
        title: "Guide",
        document: {
          markdown: `Words <!-- not for readers -->\n\n![A map](/broken/files/${file!.id})\n\n{% if visitor.claims.beta %}\nsecret\n{% endif %}\n\n[link](setup.md)`,
        },
      },
      { operation: "insert_page", title: "Setup", document: { markdown: "## Install\n\n```sh\nmake\n```" } },
      { operation: "insert_page", title: "Hidden", hidden: true, document: { markdown: "unlisted" } },
    ],
  });
  await admin.changeRequests.merge(at);
  const { pages } = await admin.content.pages({ spaceId });
  return { spaceId, changeRequestId, pages: pages as { id: string; title: string }[] };
}

const pathOf = (url: string) => new URL(url).pathname;
const fetched = (url: string, headers: Record<string, string> = {}) =>
  api.send("GET", pathOf(url), { headers });

async function textOf(url: string): Promise<string> {
  const { status, bytes } = await fetchBytes(url);
  expect(status).toBe(200);
  return (await readPdf(bytes)).texts.join("\n");
}

test("the PDF of a space holds its pages in their order as visitors see them, and is fetched without a token", async () => {
  const { spaceId } = await handbook();
  const { url } = await admin.pdf.get({ spaceId });
  const { type, bytes } = await fetchBytes(url);
  expect(type).toBe("application/pdf");
  expect(Buffer.from(bytes.subarray(0, 5)).toString()).toBe("%PDF-");
  const text = await textOf(url);
  expect(text).toMatch(
    /Handbook[\s\S]*Contents[\s\S]*Guide[\s\S]*Setup[\s\S]*Guide\s*Words[\s\S]*Setup\s*Install\s*make/,
  );
  for (const absent of ["secret", "unlisted", "not for readers", "A map"]) expect(text).not.toContain(absent);
});

test("the same revision is typeset once, for all requests, and another one anew", async () => {
  const { spaceId, changeRequestId } = await handbook();
  const before = t.ctx.presses.made;
  const { url } = await admin.pdf.get({ spaceId });
  const all = await Promise.all([fetchBytes(url), fetchBytes(url), fetchBytes(url)]);
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
  await fetchBytes((await admin.pdf.get({ spaceId })).url);
  expect(t.ctx.presses.made - before).toBe(1);
  expect((await fetched(url, { "if-none-match": "*" })).status).toBe(200);
  await fetchBytes((await admin.changeRequestPdf.get({ spaceId, changeRequestId })).url);
  expect(t.ctx.presses.made - before).toBe(2);
});

test("the PDF of a change request contains what it changes, and its number", async () => {
  const { spaceId } = await handbook();
  const { id: changeRequestId, number } = await admin.changeRequests.create({
    spaceId,
    subject: "Add a page",
  });
  await admin.changeRequests.edit({
    spaceId,
    changeRequestId,
    changes: [{ operation: "insert_page", title: "New page", document: { markdown: "Fresh" } }],
  });
  const text = await textOf((await admin.changeRequestPdf.get({ spaceId, changeRequestId })).url);
  expect(text).toContain(`Change request #${number}: Add a page`);
  expect(text).toMatch(/New page\s*Fresh/);
  expect(await textOf((await admin.pdf.get({ spaceId })).url)).not.toContain("Fresh");
});

test("the PDF of a page has no contents with `only`, and a hidden page can be requested", async () => {
  const { spaceId, pages } = await handbook();
  const [guide, setup] = pages;
  const text = await textOf((await admin.pdf.get({ spaceId, page: setup!.id, only: true })).url);
  expect(text).toMatch(/^Setup\s*Install/);
  expect(text).not.toContain("Contents");
  expect(await textOf((await admin.pdf.get({ spaceId, page: guide!.id })).url)).toContain("Contents");
});

test("an unknown page is 404, `only` without a page 400, and a stranger sees no space", async () => {
  const { spaceId, changeRequestId } = await handbook();
  await expect(admin.pdf.get({ spaceId, page: "nowhere" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(admin.pdf.get({ spaceId, only: true })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await expect(stranger.pdf.get({ spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(stranger.changeRequestPdf.get({ spaceId, changeRequestId })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("an altered address, one of another space, an expired one and that of a space in the trash are 404", async () => {
  const [one, other] = [await handbook(), await handbook()];
  const { url } = await admin.pdf.get({ spaceId: one.spaceId });
  for (const wrong of [
    url.replace(one.spaceId, other.spaceId),
    url.replace(/\/pdf\/(.)/, (_, sign) => `/pdf/${sign === "a" ? "b" : "a"}`),
    url.replace(/(.)\/Handbook/, (_, sign) => `${sign === "a" ? "b" : "a"}/Handbook`),
  ])
    expect((await fetched(wrong)).status, wrong).toBe(404);
  const { clock } = t.ctx;
  t.ctx.clock = () => new Date(clock().getTime() + 3 * 3_600_000);
  expect((await fetched(url)).status).toBe(404);
  t.ctx.clock = clock;
  await admin.spaces.remove({ spaceId: one.spaceId });
  expect((await fetched(url)).status).toBe(404);
});

test("a space of too much text is refused before anything is made", async () => {
  const spaceId = await t.space({});
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const markdown = "words ".repeat(160_000);
  const changes = Array.from({ length: 5 }, (_, at) => ({
    operation: "insert_page" as const,
    title: `${at}`,
    document: { markdown: `${at} ${markdown}` },
  }));
  for (const change of changes)
    await admin.changeRequests.edit({ spaceId, changeRequestId, changes: [change] });
  await expect(admin.changeRequestPdf.get({ spaceId, changeRequestId })).rejects.toMatchObject({
    code: "PAYLOAD_TOO_LARGE",
  });
});
