import { ownershipRecord } from "@octavo/shared/dns/challenge";
import type { Ctx } from "../../trpc.js";
import type { Row } from "./queries.js";
import type { EmailDomain } from "./schema.js";

export const view =
  ({ urls }: Ctx) =>
  ({ organization, domain, verified_at }: Row): EmailDomain => ({
    object: "email-domain",
    domain,
    status: verified_at === null ? "pending" : "verified",
    record: ownershipRecord(domain, organization),
    verifiedAt: verified_at ?? undefined,
    urls: { location: urls.api`/orgs/${organization}/email-domains/${domain}` },
  });
