import { get, post, router } from "../trpc.js";
import * as rules from "./rules.js";
import { EmailDomain, EmailDomains, Get, List } from "./schema.js";

const DOMAINS = "/orgs/{organizationId}/email-domains";

export const emailDomains = router({
  list: get(DOMAINS, { operationId: "listOrganizationEmailDomains" })
    .input(List)
    .output(EmailDomains)
    .query(rules.list),
  get: get(`${DOMAINS}/{emailDomain}`, { operationId: "getOrganizationEmailDomain" })
    .input(Get)
    .output(EmailDomain)
    .query(rules.get),
  verify: post(`${DOMAINS}/{emailDomain}/verify`, {
    status: 200,
    operationId: "verifyOrganizationEmailDomain",
  })
    .input(Get)
    .output(EmailDomain)
    .mutation(rules.verify),
});
