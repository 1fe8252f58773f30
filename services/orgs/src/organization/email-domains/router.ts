import { get, post, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { EmailDomain, EmailDomains, Get, List } from "./schema.js";

const DOMAINS = "/orgs/{organizationId}/email-domains";

export const emailDomains = router({
  list: get(DOMAINS, {
    operationId: "listOrganizationEmailDomains",
    permission: "organization.admin",
    summary: "List the e-mail domains of an organization, and whether they are verified",
  })
    .input(List)
    .output(EmailDomains)
    .query(rules.list),
  get: get(`${DOMAINS}/{emailDomain}`, {
    operationId: "getOrganizationEmailDomain",
    permission: "organization.admin",
    summary: "Get an e-mail domain of an organization, with the DNS record that verifies it",
  })
    .input(Get)
    .output(EmailDomain)
    .query(rules.get),
  verify: post(`${DOMAINS}/{emailDomain}/verify`, {
    status: 200,
    operationId: "verifyOrganizationEmailDomain",
    permission: "organization.admin",
    summary: "Look for the DNS record of an e-mail domain, and verify the domain by it",
  })
    .input(Get)
    .output(EmailDomain)
    .mutation(rules.verify),
});
