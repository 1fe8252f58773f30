import { httpUrl, id, text, user } from "@octavo/shared/contracts/fields";
import { z } from "zod";

export { user as User };

export const Get = z.object({});
export const GetById = z.object({ userId: id });
export const Update = z.object({
  userId: id,
  displayName: text(64, 1).optional(),
  photoURL: httpUrl.optional(),
});
export const Lookup = z.object({ ids: z.array(id).max(1000) });
/** Who is registered at the first start. */
export const Registration = z.object({ displayName: text(64, 1), email: text(254, 3) });
