import { id, text, timestamp, urls } from "@octavo/shared/contracts/fields";
import { z } from "zod";

export const List = z.object({ organizationId: id });
/** What is no domain is named by no organization. */
export const Get = z.object({ organizationId: id, emailDomain: text(253, 1).toLowerCase() });

export const EmailDomain = z
  .object({
    object: z.literal("email-domain"),
    domain: z.string(),
    /** A pending domain says which addresses may be invited, and nothing else. */
    status: z.enum(["verified", "pending"]),
    /** What the DNS has to hold for the domain to be verified. */
    record: z.object({ type: z.literal("TXT"), name: z.string(), value: z.string() }),
    verifiedAt: timestamp.optional(),
    urls: urls("location"),
  })
  .meta({ id: "OrganizationEmailDomain" });
export type EmailDomain = z.output<typeof EmailDomain>;
export const EmailDomains = z
  .object({ items: z.array(EmailDomain) })
  .meta({ id: "OrganizationEmailDomainList" });
