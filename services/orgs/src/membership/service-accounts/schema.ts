import { id, listOf, paging, roleOrGuest, text, timestamp, urls } from "@octavo/shared/contracts/fields";
import { z } from "zod";

const key = { organizationId: id, serviceAccountId: id };
const title = text(64, 1);

export const List = z.object({ organizationId: id, ...paging });
export const Create = z.object({ organizationId: id, title, role: roleOrGuest });
export const Get = z.object(key);
export const Update = z.object({ ...key, title: title.optional(), role: roleOrGuest.optional() });

export const ServiceAccount = z
  .object({
    object: z.literal("service-account"),
    /** Of a member like any other, who is granted content, put into teams, and has tokens. */
    id: z.string(),
    title: z.string(),
    role: roleOrGuest,
    createdAt: timestamp,
    /** Use of any of its tokens. */
    lastUsedAt: timestamp.optional(),
    urls: urls("location", "tokens"),
  })
  .meta({ id: "ServiceAccount" });
export type ServiceAccount = z.output<typeof ServiceAccount>;
export const ServiceAccounts = listOf(ServiceAccount);
