import { createReaderVerifier } from "@octavo/shared/reader-tokens";
import { afterAll, beforeAll, expect, test } from "vitest";
import { admit } from "../audience/admit.js";
import * as sites from "../store/sites.js";
import { testSites } from "../testing/sites.js";
import { PREVIEW_PARAMETER } from "./rules.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

async function unpublished() {
  const api = await service.as({ acme: "create" });
  const spaces = ["Guide", "Version 2"].map(
    (title) => service.content.space({ organization: "acme", title }).id,
  );
  const { id } = await api.sites.create({ organizationId: "acme", visibility: "visitor-auth", spaces });
  const one = { organizationId: "acme", siteId: id };
  const jsonSchema = {
    type: "object",
    properties: {
      beta: { type: "boolean", description: "x" },
      unsigned: {
        type: "object",
        description: "Unsigned claims of the site visitor.",
        properties: { lang: { type: "string", description: "x" } },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  } as never;
  await api.adaptiveSchema.update({ ...one, jsonSchema });
  await api.sites.update({ ...one, adaptiveContent: { enabled: true } });
  return { api, one };
}

const tokenIn = (url: string) => new URL(url).searchParams.get(PREVIEW_PARAMETER)!;

async function visit(siteId: string, preview: string, clock = () => new Date()) {
  const ctx = { ...service.contextOf(service.self), clock };
  const site = (await sites.find(ctx, "acme", siteId))!;
  const admitted = await admit(ctx, site, { path: [], preview, redirectOnError: false });
  return admitted && JSON.parse(JSON.stringify(admitted));
}

test("GET …/publishing/preview returns an address that shows a site for an hour, as to a visitor with claims", async () => {
  const { api, one } = await unpublished();
  const { url } = await api.preview.get({ ...one, claims: "(beta:!t,admin:!t,unsigned:(lang:de))" });
  expect(url).toMatch(`http://octavo.test/sites/${one.siteId}/?${PREVIEW_PARAMETER}=`);
  expect(await visit(one.siteId, tokenIn(url))).toEqual({
    claims: { beta: true, unsigned: { lang: "de" } },
  });
  const later = (minutes: number) => () => new Date(Date.now() + minutes * 60_000);
  expect(await visit(one.siteId, tokenIn(url), later(59))).toBeDefined();
  expect(await visit(one.siteId, tokenIn(url), later(61))).toBeUndefined();
});

test("a preview of a site space leads to its address", async () => {
  const { api, one } = await unpublished();
  const [first, second] = (await api.siteSpaces.list(one)).items;
  const { url } = await api.preview.get({ ...one, siteSpace: second!.id });
  expect(new URL(url).pathname).toBe(`/sites/${one.siteId}/version-2/`);
  expect(await visit(one.siteId, tokenIn(url))).toEqual({});
  expect(new URL((await api.preview.get({ ...one, siteSpace: first!.id })).url).pathname).toBe(
    `/sites/${one.siteId}/`,
  );
});

test("a token of a preview opens no other site, and nothing when it was altered", async () => {
  const [{ api, one }, { one: other }] = [await unpublished(), await unpublished()];
  const token = tokenIn((await api.preview.get(one)).url);
  expect(await visit(other.siteId, token)).toBeUndefined();
  const { privateKey } = await api.publishingAuth.get(one);
  for (const forged of [
    "",
    "x",
    privateKey,
    token.slice(0, -2),
    `${token.slice(0, 40)}${token[40] === "_" ? "-" : "_"}${token.slice(41)}`,
    token.replace(/^v2/, "v1"),
  ])
    expect(await visit(one.siteId, forged)).toBeUndefined();
});

test("GET …/publishing/preview refuses other site spaces, and claims that are no object of Rison", async () => {
  const { api, one } = await unpublished();
  for (const [input, path] of [
    [{ siteSpace: "sitesp_x" }, "query.siteSpace"],
    [{ claims: "(beta" }, "query.claims"],
    [{ claims: "!(beta)" }, "query.claims"],
    [{ claims: "beta" }, "query.claims"],
    [{ claims: '{"beta":true}' }, "query.claims"],
  ] as const)
    await expect(api.preview.get({ ...one, ...input })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      details: { issues: [{ path }] },
    });
});

test("GET …/publishing/preview is for those who may decide who sees the spaces", async () => {
  const { one } = await unpublished();
  for (const [roles, code] of [
    [{ acme: "review" }, "FORBIDDEN"],
    [{ acme: null }, "FORBIDDEN"],
    [{ beta: "admin" }, "NOT_FOUND"],
  ] as const)
    await expect((await service.as(roles)).preview.get(one)).rejects.toMatchObject({ code });
  const admin = await service.as({ acme: "admin" });
  const { id } = service.content.space({ organization: "acme", title: "Closed", level: null });
  const closed = await admin.sites.create({ organizationId: "acme", spaces: [id] });
  const member = await service.as({ acme: "create" });
  await expect(member.preview.get({ organizationId: "acme", siteId: closed.id })).rejects.toMatchObject({
    details: { reason: "spaces_not_yours_to_show" },
  });
});

test("a preview shows a site that is not published by its address and its profile, to nobody else", async () => {
  const { api, one } = await unpublished();
  const { items } = await api.siteSpaces.list(one);
  const hidden = { ...one, siteSpaceId: items[1]!.id, condition: "visitor.claims.beta" };
  await api.siteSpaces.update(hidden);
  const stranger = await service.as({ beta: "read" });
  const find = async (url: string) => {
    const found = await stranger.urls.resolvePublished({ url, redirectOnError: false });
    if (!("apiToken" in found)) throw new Error("nothing is there");
    return (await createReaderVerifier(service.trustedKeys)(found.apiToken))!.caller;
  };
  const shown = async (claims?: string) => {
    const caller = await find((await api.preview.get({ ...one, claims })).url);
    expect(caller).toMatchObject({ preview: true, space: items[0]!.space.id });
    const { site, structure } = await service.call(caller).publishing.getPublished(one);
    expect(site.published).toBe(false);
    expect(JSON.stringify(structure)).not.toMatch(/"(?:admin|edit|merge)":true/);
    return structure.structure.map((item) => [item.title, "urls" in item && item.urls.published]);
  };
  const root = `http://octavo.test/sites/${one.siteId}/`;
  expect(await shown()).toEqual([["Guide", root]]);
  expect(await shown("(beta:!t)")).toEqual([
    ["Guide", root],
    ["Version 2", `${root}version-2/`],
  ]);
  const nothing = { code: "NOT_FOUND" };
  await expect(find(root)).rejects.toMatchObject(nothing);
  await expect(find(`${root}?${PREVIEW_PARAMETER}=forged`)).rejects.toMatchObject(nothing);
  const other = await unpublished();
  const foreign = (await other.api.preview.get(other.one)).url.split("?")[1];
  await expect(find(`${root}?${foreign}`)).rejects.toMatchObject(nothing);
});
