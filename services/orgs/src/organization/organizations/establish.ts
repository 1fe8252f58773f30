import { changed } from "@octavo/shared/audit";
import { OrganizationCreated, OrganizationUpdated } from "@octavo/shared/contracts/events/orgs";
import { transact } from "@octavo/shared/database/transact";
import { found } from "@octavo/shared/errors";
import { emit } from "@octavo/shared/events/outbox";
import { newId } from "@octavo/shared/ids";
import type { z } from "zod";
import { withRoles } from "../../access/identity.js";
import { admit } from "../../admission/admit.js";
import { auditOrganization } from "../../audit/audit.js";
import type { Ctx } from "../../trpc.js";
import * as emailDomains from "../email-domains/rules.js";
import { load } from "./load.js";
import * as queries from "./queries.js";
import type { Create } from "./schema.js";
import { columnsOf, refuseTaken } from "./settings.js";
import { view } from "./view.js";

/** Creates an organization with the person as its administrator. */
export function establish(ctx: Ctx, person: string, input: z.output<typeof Create>) {
  return transact(ctx, async (ctx) => {
    const id = newId();
    const { title, type, useCase, communityType } = input;
    const kind = { type, use_case: useCase, community_type: communityType };
    await refuseTaken(() => queries.insert(ctx, { id, ...columnsOf(input), title, ...kind }));
    await emit(ctx, OrganizationCreated, id, { organization: id });
    await auditOrganization(ctx, "organization.create", { id, organization: id }, { title });
    await admit(ctx, { organization: id, person, role: "admin" });
    const row = found(await queries.find(ctx, id), "Organization");
    return view(withRoles(ctx, { [id]: "admin" }))(row);
  });
}

/** Adds domains to those that an organization names, and marks them as verified, on the operator's word. */
export async function vouchFor(ctx: Ctx, id: string, domains: string[]): Promise<void> {
  const before = await load(ctx, id);
  const email_domains = [...new Set([...before.email_domains, ...domains])];
  if (email_domains.length > before.email_domains.length) {
    await queries.update(ctx, id, { email_domains });
    await emit(ctx, OrganizationUpdated, id, { organization: id });
    const details = changed(before, { email_domains });
    await auditOrganization(ctx, "organization.update", { id, organization: id }, details);
  }
  await emailDomains.vouch(ctx, id, domains);
}
