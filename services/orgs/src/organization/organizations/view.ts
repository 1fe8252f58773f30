import { roleIn } from "@octavo/shared/contracts/callers";
import type { Organization } from "@octavo/shared/contracts/schemas/organization";
import { flagsOf, plannedFlagsOf } from "../../permissions.js";
import type { Ctx } from "../../trpc.js";
import type { Row } from "./queries.js";

const free = { monthly: 0, yearly: 0 };
/** Nobody pays for a platform of their own. */
const BILLING = {
  interval: "monthly" as const,
  endDate: null,
  hasPaymentFailed: false,
  isScheduledToCancel: false,
  pricing: { members: { plus_2024: free, pro_2024: free }, sites: { premium: free, ultimate: free } },
  usageAddons: {},
};

/** An organization as the caller may see it: to a stranger it has no billing, no domains and no permissions. */
export const view =
  (ctx: Ctx) =>
  (row: Row): Organization => {
    const level = roleIn(ctx.caller, row.id);
    const known = level !== undefined;
    return {
      object: "organization",
      id: row.id,
      title: row.title,
      createdAt: row.created_at,
      emailDomains: known ? row.email_domains : [],
      hostname: row.hostname ?? undefined,
      type: row.type,
      useCase: row.use_case ?? undefined,
      communityType: row.community_type ?? undefined,
      defaultRole: row.default_role,
      defaultContent: row.default_site === null ? undefined : { type: "site", site: row.default_site },
      sso: row.sso,
      ai: row.ai,
      inviteLinks: row.invite_links,
      plan: "free_2024",
      billing: known ? BILLING : undefined,
      urls: {
        location: ctx.urls.api`/orgs/${row.id}`,
        app: ctx.urls.app`/o/${row.id}`,
        logo: row.logo_url ?? undefined,
      },
      trial: { status: "notapplicable" },
      permissions: {
        ...flagsOf(level, "organization"),
        ...plannedFlagsOf(level, "organization"),
        ownTeam: row.owns_team,
      },
    };
  };
