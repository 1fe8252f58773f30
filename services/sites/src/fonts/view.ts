import { roleIn } from "@octavo/shared/contracts/callers";
import { permits } from "../permissions.js";
import type { Row } from "../store/fonts.js";
import type { Ctx } from "../trpc.js";
import type { FontDefinition } from "./schema.js";

export const view = ({ caller }: Ctx, { id, organization, family, faces }: Row): FontDefinition => ({
  id,
  custom: true,
  fontFamily: family,
  fontFaces: faces,
  permissions: { edit: permits(roleIn(caller, organization), "font.manage") },
});
