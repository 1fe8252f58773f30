import { emailDomain, id } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { Registration } from "../../accounts/users/schema.js";
import { Create } from "../../organization/organizations/schema.js";

export const Ensure = z.object({
  token: z.string(),
  organization: Create.pick({ title: true }),
  user: Registration,
});
/** Domains of e-mail addresses that are an organization's, as the operator knows. */
export const Vouch = z.object({ organization: id, emailDomains: z.array(emailDomain).max(100) });
/** The ids of what is there now, and whether this call made the organization. */
export const Ensured = z.object({ organization: z.string(), user: z.string(), created: z.boolean() });
