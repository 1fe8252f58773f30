import { refuse } from "@octavo/shared/errors";
import type { z } from "zod";
import type { fontFaces } from "../customization/fields.js";
import type { Ctx } from "../trpc.js";
import type { Create } from "./schema.js";

type Faces = z.output<typeof fontFaces>;
type Given = z.output<typeof Create>["fontFaces"];

/**
 * Returns faces with the addresses of their files: those of uploads by their keys, in one call, and for null those that
 * the font has for the weight. 412 for keys that no upload of this organization has, and for null where there is none.
 */
export async function locatedFaces(
  ctx: Ctx,
  organization: string,
  given: Given,
  before: Faces = [],
): Promise<Faces> {
  const keys = given.flatMap((face) => ("storageKey" in face ? (face.storageKey ?? []) : []));
  const uploads = keys.length > 0 ? await ctx.content.takeUploads(ctx, organization, [...new Set(keys)]) : [];
  const byKey = new Map(uploads.map(({ key, ...source }) => [key, [source]]));
  return given.map((face, index) => {
    if ("sources" in face) return face;
    const { weight, storageKey } = face;
    const sources =
      storageKey === null ? before.find((face) => face.weight === weight)?.sources : byKey.get(storageKey);
    if (sources) return { weight, sources };
    return refuse(
      "PRECONDITION_FAILED",
      storageKey === null
        ? `body.fontFaces.${index}.storageKey: is null, and the font has no face of this weight`
        : `body.fontFaces.${index}.storageKey: no file was uploaded under this key for the organization`,
    );
  });
}
