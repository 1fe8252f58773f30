import { changed } from "@octavo/shared/audit";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { requireStoredRole } from "../access/standing.js";
import { auditFont } from "../audit.js";
import { allowIn } from "../permissions.js";
import * as queries from "../store/fonts.js";
import type { Call, Ctx } from "../trpc.js";
import { locatedFaces } from "./located-faces.js";
import type { Create, List, OneFont, UpdateFont } from "./schema.js";
import { view } from "./view.js";

// Fonts of an organization, for the customization of its sites. A site keeps the definition that it was given, so that
// no change of a font changes a site.

/** Fonts of one organization, at most. */
const MOST = 200;

/** Lists the fonts of an organization, sorted by id; 403 for guests, 404 for strangers. */
export async function list({ ctx, input: { organizationId } }: Call<typeof List>) {
  allowIn(ctx, organizationId, "font.view");
  const rows = await queries.ofOrganization(ctx, organizationId);
  return { items: rows.map((row) => view(ctx, row)), count: rows.length };
}

/** Returns a font; 403 for guests, 404 when the organization has no such font. */
export async function get({ ctx, input: { organizationId, fontId } }: Call<typeof OneFont>) {
  allowIn(ctx, organizationId, "font.view");
  return view(ctx, found(await queries.find(ctx, organizationId, fontId), "Font"));
}

/**
 * Creates a font; 403 for who may not create in the organization, 404 to strangers, 409 when the organization has as
 * many as there can be, 412 for keys that no upload of this organization has.
 */
export async function create({ ctx, input }: Call<typeof Create>) {
  const { organizationId: organization, fontFamily: family } = input;
  return writing(ctx, organization, async (ctx) => {
    if ((await queries.ofOrganization(ctx, organization)).length >= MOST)
      refuse("CONFLICT", `Organization: has ${MOST} fonts, which is as many as there can be`);
    const faces = JSON.stringify(await locatedFaces(ctx, organization, input.fontFaces));
    const row = await queries.insert(ctx, { id: newId("font"), organization, family, faces });
    await auditFont(ctx, "font.create", row, { fontFamily: family });
    return view(ctx, row);
  });
}

/** Changes a font; refuses like `create`, 404 for an unknown one. */
export async function updateFont({ ctx, input }: Call<typeof UpdateFont>) {
  return writing(ctx, input.organizationId, async (ctx) => {
    const before = found(await queries.find(ctx, input.organizationId, input.fontId), "Font");
    const { organizationId, fontFaces } = input;
    const faces = fontFaces && (await locatedFaces(ctx, organizationId, fontFaces, before.faces));
    const set = { family: input.fontFamily, faces };
    const row = await queries.update(ctx, before.id, { ...set, faces: faces && JSON.stringify(faces) });
    await auditFont(ctx, "font.update", row, changed(before, set));
    return view(ctx, row);
  });
}

/**
 * Deletes a font; 403 for who may not create in the organization. No error when there is none, and no change of the
 * sites that use it.
 */
export async function remove({ ctx, input: { organizationId, fontId } }: Call<typeof OneFont>) {
  await writing(ctx, organizationId, async (ctx) => {
    const row = await queries.find(ctx, organizationId, fontId);
    if (!row) return;
    await queries.remove(ctx, row.id);
    await auditFont(ctx, "font.delete", row, { fontFamily: row.family });
  });
}

/** Changes fonts of an organization, one change after the other, by a caller who may do so when it is their turn. */
const writing = <Result>(ctx: Ctx, organization: string, write: (ctx: Ctx) => Promise<Result>) => {
  allowIn(ctx, organization, "font.manage");
  return transact(ctx, async (ctx) => {
    await queries.lockFonts(ctx, organization);
    await requireStoredRole(ctx, organization, "font.manage");
    return write(ctx);
  });
};
