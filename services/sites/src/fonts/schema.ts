import { id, listOf, text } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { fontDefinition, fontFaces, fontFamily } from "../customization/fields.js";

const weight = z.number().int().min(1).max(1000);
/** A file that was uploaded for a font, by its key; null is the one that the font has for this weight. */
const uploaded = z.object({ weight, storageKey: text(512, 1).nullable() });
/** Beyond the interface, faces name where their files lie. */
const faces = z.union([fontFaces, z.array(uploaded).min(1).max(100)]);

export const FontDefinition = fontDefinition
  .extend({ permissions: z.object({ edit: z.boolean() }) })
  .meta({ id: "CustomizationFontDefinition" });
export type FontDefinition = z.output<typeof FontDefinition>;
export const FontDefinitionList = listOf(FontDefinition);

export const List = z.object({ organizationId: id });
export const OneFont = z.object({ organizationId: id, fontId: id });
export const Create = z.object({ organizationId: id, fontFamily, fontFaces: faces });
export const UpdateFont = OneFont.extend({ fontFamily: fontFamily.optional(), fontFaces: faces.optional() });
