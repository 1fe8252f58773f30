import { z } from "zod";
import { permissions, roleOrGuest, timestamp } from "../fields.js";

export const organizationType = z.enum(["business", "community"]);
export type OrganizationType = z.output<typeof organizationType>;
export const useCase = z.enum([
  "internalDocs",
  "docsSite",
  "audienceControlledSite",
  "productDocs",
  "teamKnowledgeBase",
  "designSystem",
  "openSourceDocs",
  "notes",
  "other",
]);
export type UseCase = z.output<typeof useCase>;
export const communityType = z.enum(["nonProfit", "openSource", "education"]);
export type CommunityType = z.output<typeof communityType>;
export const plan = z.enum([
  "free_2024",
  "plus_2024",
  "pro_2024",
  "enterprise_2024",
  "community_2024",
  "free",
  "plus",
  "pro",
  "internal",
]);

const price = z.object({ monthly: z.number(), yearly: z.number() });
const billing = z.object({
  interval: z.enum(["monthly", "yearly"]),
  endDate: timestamp.nullable(),
  hasPaymentFailed: z.boolean(),
  isScheduledToCancel: z.boolean(),
  pricing: z.object({
    members: z.object({ plus_2024: price, pro_2024: price }),
    sites: z.object({ premium: price, ultimate: price }),
  }),
  usageAddons: z.record(z.string(), z.object({ enabled: z.boolean() })),
});

/** An organization as it is shown; orgs returns it, and others where they show whose a thing is. */
export const organization = z
  .object({
    object: z.literal("organization"),
    id: z.string(),
    title: z.string(),
    createdAt: timestamp,
    emailDomains: z.array(z.string()),
    hostname: z.string().optional(),
    type: organizationType,
    useCase: useCase.optional(),
    communityType: communityType.optional(),
    defaultRole: roleOrGuest.optional(),
    defaultContent: z.object({ type: z.literal("site"), site: z.string() }).optional(),
    sso: z.boolean().optional(),
    ai: z.boolean().optional(),
    inviteLinks: z.boolean(),
    plan,
    /** Shown to members alone. */
    billing: billing.optional(),
    urls: z.object({ location: z.string(), app: z.string(), logo: z.string().optional() }),
    trial: z.object({
      status: z.enum(["notapplicable", "none", "active", "ended", "expired"]),
      endDate: timestamp.optional(),
      decision: z.literal("downgrade").optional(),
    }),
    customHostname: z.string().optional(),
    blocked: z.object({ reason: z.literal("security") }).optional(),
    permissions: permissions(
      "view",
      "admin",
      "ownTeam",
      "createContent",
      "createOpenAPISpec",
      "ingestConversations",
      "viewBilling",
      "listMembers",
      "listTeams",
      "listIntegrations",
      "listInstallations",
      "installIntegration",
    ),
  })
  .meta({ id: "Organization" });
export type Organization = z.output<typeof organization>;
