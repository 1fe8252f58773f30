import { newId } from "@octavo/shared/ids";
import { compressToBase64, compressToEncodedURIComponent } from "lz-string";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PublishInput } from "../integrations/schema.js";
import { publication, startIntegrations } from "../testing/integrations.js";
import { moduleOf } from "../testing/scripts.js";
import { decompress } from "./decompress.js";

let home: Awaited<ReturnType<typeof startIntegrations>>;
let acme: string;
beforeAll(async () => {
  home = await startIntegrations({ timeoutMs: 2_000 });
  acme = home.orgs.add();
});
afterAll(() => home.end());

const BLOCK = moduleOf(`
  if (event.type !== "ui_render") return new Response("OK");
  const { componentId, props, context, state, action, auth } = event;
  if (componentId === "gone") return Response.json({ error: "Unknown component" }, { status: 404 });
  if (componentId === "picky") return Response.json({ error: "Enter a name" }, { status: 400 });
  if (componentId === "rubbish") return new Response("<html>");
  if (componentId === "throws") throw new Error("boom");
  if (componentId === "done") return Response.json({ type: "complete", returnValue: { a: 1 } });
  const seen = { ids: [event.installationId, event.spaceId, event.siteId], auth, action, props,
    levels: Object.keys(environment).filter((key) => key.endsWith("nstallation") && environment[key]) };
  return Response.json({ type: "element", element: { type: "block", children: [{ type: "text", text: JSON.stringify(seen) }] },
    state: { ...state, count: 1 }, props }, { headers: { "cache-control": "max-age=30" } });`);

async function installed(over: Partial<PublishInput> = {}) {
  const owner = await home.as({ [acme]: "create" });
  const input = publication({ organization: acme, script: BLOCK, visibility: "unlisted", ...over });
  const { integrationName } = input;
  await owner.call.integrations.publish(input);
  const { id } = await owner.call.installations.install({ integrationName, organization: acme });
  return { ...owner, integrationName, id, one: { integrationName, installationId: id } };
}

const block = (spaceId: string, editable = false) => ({
  componentId: "diagram",
  props: { text: "a --> b" },
  context: { type: "document" as const, theme: "light" as const, spaceId, editable },
});

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever a script rendered
const receivedIn = (rendered: any) => JSON.parse(rendered.element.children[0].text);

test("a block is rendered by the script for who may read the space, with the installation that works there", async () => {
  const { integrationName, id } = await installed();
  const space = home.content.space(acme);
  const reader = await home.as({ [acme]: "read" });
  const rendered = await reader.call.render.post({ integrationName, ...block(space) });
  expect(rendered).toMatchObject({ type: "element", state: { count: 1 }, props: { text: "a --> b" } });
  expect(receivedIn(rendered)).toMatchObject({
    ids: [id, space, null],
    auth: { userId: reader.caller.id },
    levels: ["installation"],
  });
  const stranger = await home.as({ [home.orgs.add()]: "admin" });
  await expect(stranger.call.render.post({ integrationName, ...block(space) })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("an editable block takes the right to edit the space", async () => {
  const { integrationName } = await installed();
  const space = home.content.space(acme, "read");
  const reader = await home.as({ [acme]: "read" });
  await expect(reader.call.render.post({ integrationName, ...block(space, true) })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  const editor = await home.as({ [acme]: "admin" });
  expect(await editor.call.render.post({ integrationName, ...block(space, true) })).toMatchObject({
    type: "element",
  });
});

test("configurations are rendered for callers who may configure, with what is stored, whatever the request contains", async () => {
  const { call, one, integrationName, id } = await installed();
  const space = home.content.space(acme);
  const site = home.sites.site(acme);
  await call.installations.update({ ...one, configuration: { a: 1 } });
  await call.installationSpaces.install({ ...one, space, extended: false });
  await call.installationSpaces.update({ ...one, spaceId: space, configuration: { s: 2 }, extended: false });
  await call.installationSites.install({ ...one, siteId: site, extended: false });
  const theme = "dark" as const;
  const forged = { componentId: "form", props: { installation: { configuration: { a: "forged" } } } };
  const contexts = [
    [{ type: "configuration_account" as const, theme, organizationId: acme }, [id, null, null]],
    [{ type: "configuration_space" as const, theme, spaceId: space }, [id, space, null]],
    [{ type: "configuration_site" as const, theme, siteId: site }, [id, null, site]],
    [
      { type: "configuration_contentsource" as const, theme, organizationId: acme, spaceId: space },
      [id, null, null],
    ],
  ] as const;
  const reader = await home.as({ [acme]: "edit" });
  const stranger = await home.as({ [home.orgs.add()]: "admin" });
  for (const [context, ids] of contexts) {
    const received = receivedIn(await call.render.post({ integrationName, ...forged, context }));
    expect(received.ids).toEqual(ids);
    expect(received.props.installation).toEqual({ configuration: { a: 1 } });
    await expect(reader.call.render.post({ integrationName, ...forged, context })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    await expect(stranger.call.render.post({ integrationName, ...forged, context })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  }
});

test("404, 400 and 502 distinguish an unknown component, a refusal and a failure", async () => {
  const { call, integrationName } = await installed();
  const space = home.content.space(acme);
  const render = (componentId: string) => call.render.post({ integrationName, ...block(space), componentId });
  await expect(render("gone")).rejects.toMatchObject({ code: "NOT_FOUND", message: /Unknown component/ });
  await expect(render("picky")).rejects.toMatchObject({ code: "BAD_REQUEST", message: /Enter a name/ });
  await expect(render("rubbish")).rejects.toMatchObject({ code: "BAD_GATEWAY" });
  await expect(render("throws")).rejects.toMatchObject({ code: "BAD_GATEWAY" });
  expect(await render("done")).toEqual({ type: "complete", returnValue: { a: 1 } });
  const { items } = await call.events.list({ integrationName, limit: 10 });
  const renders = items.filter(({ payload }) => payload.type === "ui_render");
  expect(renders.map(({ status }) => status)).toEqual(["success", "failed", "failed", "failed", "failed"]);
});

test("nothing is rendered where the integration is not at work", async () => {
  const { call, one, integrationName } = await installed();
  const space = home.content.space(acme);
  await call.installations.update({ ...one, space_selection: "selected" });
  await expect(call.render.post({ integrationName, ...block(space) })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await call.installationSpaces.install({ ...one, space, extended: false });
  const received = receivedIn(await call.render.post({ integrationName, ...block(space) }));
  expect(received.levels).toEqual(["installation", "spaceInstallation"]);
  await expect(call.render.post({ integrationName: `no-${newId()}`, ...block(space) })).rejects.toMatchObject(
    {
      code: "NOT_FOUND",
    },
  );
});

const GREETING = compressToEncodedURIComponent('{"a":"aaaaaaaaaaaaé€"}');

test("a compressed text is read as it was, and what is none, or too long, is not", () => {
  const texts = [
    "",
    "a",
    '{"a":"aaaaaaaaaaaaé€"}',
    "\uffff\0".repeat(300),
    JSON.stringify(block("x")).repeat(50),
  ];
  for (const text of texts) {
    expect(decompress(compressToEncodedURIComponent(text))).toBe(text);
    expect(decompress(compressToBase64(text))).toBe(text);
  }
  for (const wrong of ["", "!", "N4I", "AAAA", "zzzzzzzz", GREETING.slice(0, -4)])
    expect(decompress(wrong)).toBeUndefined();
  expect(decompress(compressToBase64("a".repeat(2_000_000)))).toBeUndefined();
});

test("by GET the request is compressed, a bad one is refused by name, and the component may be kept for a while", async () => {
  const { integrationName, send } = await installed();
  const path = `/integrations/${integrationName}/render`;
  for (const request of ["x", GREETING]) {
    const refused = await send("GET", `${path}?request=${encodeURIComponent(request)}`);
    expect(refused.status).toBe(400);
    expect(refused.body.error.issues[0].path).toMatch(/^query\.request/);
  }
  const space = home.content.space(acme);
  const getWith = (request: object) =>
    send("GET", `${path}?request=${compressToEncodedURIComponent(JSON.stringify(request))}`);
  expect((await getWith(block(space))).body).toMatchObject({ type: "element" });
  const acting = await getWith({ ...block(space), action: { action: "save" } });
  expect([acting.status, acting.body.error.issues[0].path]).toEqual([400, "query.request.action"]);
  const posted = await send("POST", path, block(space));
  expect([posted.status, posted.headers.get("cache-control")]).toEqual([200, "private, max-age=30"]);
});
