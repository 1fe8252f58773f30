import { afterAll, expect, test } from "vitest";
import { createDrawing } from "../drawing/drawing.js";
import { createOptionalParts } from "../site/optional-parts.js";
import { spaceFrom } from "../site/space.js";
import { page } from "../testing.js";
import { wordsIn } from "../words/index.js";
import { lastsOf, loadPage } from "./page.js";

const drawing = createDrawing();
afterAll(() => drawing.close());

const text = (words: string) => ({
  object: "block",
  type: "paragraph",
  isVoid: false,
  nodes: [{ object: "text", leaves: [{ object: "leaf", text: words, marks: [] }] }],
});
const included = (id: string) => ({
  object: "block",
  type: "reusable-content",
  isVoid: true,
  data: { ref: { kind: "reusable-content", reusableContent: id } },
});
const document = (...nodes: object[]) => ({ object: "document", data: {}, nodes });

/** Loads a page that includes a text whose service responds with `outcome`. */
async function loadWith(outcome: () => Promise<object>) {
  const shown = {
    page: { type: "document" },
    document: JSON.stringify(document(text("own"), included("a"))),
  };
  const space = spaceFrom("key", { pages: [page("a", "A")], files: [] });
  const place = {
    space: "space",
    revision: "revision",
    site: "site",
    base: "/sites/docs/",
    visitor: {
      patient: {
        content: {
          shownPages: { page: { query: async () => shown } },
          revisionContent: { reusableContentDocument: { query: outcome } },
        },
      },
    },
  };
  const site = {
    newTab: false,
    customization: { git: { showEditLink: false } },
    spaces: [],
    spoken: "en",
    words: wordsIn("en"),
  };
  const parts = createOptionalParts();
  // Cast: the little of a place and of a site that loading a page looks at.
  const context = { place, site, space, drawing, parts } as unknown as Parameters<typeof loadPage>[0];
  const loaded = await loadPage(context, space.order[0]!);
  return { html: loaded!.html, updates: loaded!.updates, areMissing: parts.areMissing };
}

const refusal = (code: string) => Object.assign(new Error(code), { data: { code } });

test("loadPage draws a page with what it includes", async () => {
  const { html, areMissing } = await loadWith(async () => document(text("included")));
  expect(html).toContain("included");
  expect(areMissing).toBe(false);
});

test("updates of what a page includes are shown, and are no feed of the page", async () => {
  const update = { object: "block", type: "update", data: {}, nodes: [text("included")] };
  const { html, updates } = await loadWith(async () => document(update));
  expect(html).toContain('<article class="update">');
  expect(updates).toBe(false);
});

test("loadPage draws a page without what is not there, which is all that there is", async () => {
  const { html, areMissing } = await loadWith(() => Promise.reject(refusal("NOT_FOUND")));
  expect(html).toContain("own");
  expect(areMissing).toBe(false);
});

test("loadPage draws a page without parts whose service is unavailable, and notes that they are missing", async () => {
  for (const error of [
    refusal("SERVICE_UNAVAILABLE"),
    refusal("TIMEOUT"),
    new Error("the connection ended"),
  ]) {
    const { html, areMissing } = await loadWith(() => Promise.reject(error));
    expect(html).toContain("own");
    expect(areMissing).toBe(true);
  }
});

test("lastsOf keeps a page for seconds while parts are missing, for half a minute with operations, else as long as it is current", async () => {
  const parts = createOptionalParts();
  expect(lastsOf({ operations: false }, parts)).toBeUndefined();
  expect(lastsOf({ operations: true }, parts)).toBe(30_000);
  await parts.load(Promise.reject(refusal("NOT_FOUND")));
  expect(lastsOf({ operations: false }, parts)).toBeUndefined();
  await parts.load(Promise.reject(refusal("SERVICE_UNAVAILABLE")));
  for (const operations of [false, true]) expect(lastsOf({ operations }, parts)).toBe(5_000);
});

test("a token that is not good any more fails the page, which is asked for again with another one", async () => {
  await expect(loadWith(() => Promise.reject(refusal("UNAUTHORIZED")))).rejects.toThrow("UNAUTHORIZED");
});
