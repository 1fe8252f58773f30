import { z } from "zod";
import { flags, id, roleOrGuest, timestamp, User, uri } from "./basics.js";

const price = z.strictObject({ monthly: z.number().min(0), yearly: z.number().min(0) });
const billing = z.strictObject({
  interval: z.enum(["monthly", "yearly"]),
  endDate: timestamp.nullable(),
  hasPaymentFailed: z.boolean(),
  isScheduledToCancel: z.boolean(),
  pricing: z.strictObject({
    members: z.strictObject({ plus_2024: price, pro_2024: price }),
    sites: z.strictObject({ premium: price, ultimate: price }),
  }),
  usageAddons: z.record(z.string(), z.strictObject({ enabled: z.boolean() })),
});

export const Organization = z.strictObject({
  object: z.literal("organization"),
  id,
  title: z.string().min(2).max(255),
  createdAt: timestamp,
  emailDomains: z.array(z.string()),
  hostname: z.string().min(3).max(32).optional(),
  type: z.enum(["business", "community"]),
  useCase: z
    .enum([
      "internalDocs",
      "docsSite",
      "audienceControlledSite",
      "productDocs",
      "teamKnowledgeBase",
      "designSystem",
      "openSourceDocs",
      "notes",
      "other",
    ])
    .optional(),
  communityType: z.enum(["nonProfit", "openSource", "education"]).optional(),
  defaultRole: roleOrGuest.optional(),
  defaultContent: z.strictObject({ type: z.literal("site"), site: id }).optional(),
  sso: z.boolean().optional(),
  ai: z.boolean().optional(),
  inviteLinks: z.boolean(),
  plan: z.enum([
    "free_2024",
    "plus_2024",
    "pro_2024",
    "enterprise_2024",
    "community_2024",
    "free",
    "plus",
    "pro",
    "internal",
  ]),
  billing: billing.optional(),
  urls: z.strictObject({ location: uri, app: uri, logo: uri.optional() }),
  trial: z.strictObject({
    status: z.enum(["notapplicable", "none", "active", "ended", "expired"]),
    endDate: timestamp.optional(),
    decision: z.literal("downgrade").optional(),
  }),
  customHostname: z.string().optional(),
  blocked: z.strictObject({ reason: z.literal("security") }).optional(),
  permissions: flags(
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
});

export const Member = z.strictObject({
  object: z.literal("member"),
  id,
  role: roleOrGuest,
  user: User,
  disabled: z.boolean(),
  joinedAt: timestamp,
  lastSeenAt: timestamp.optional(),
  sso: z.boolean(),
  spaces: z.number(),
  teams: z.number(),
});

/** An operation of our own. */
export const Token = z.strictObject({
  object: z.literal("token"),
  id,
  label: z.string().max(50),
  scopes: z.array(z.string()).optional(),
  createdAt: timestamp,
  lastUsedAt: timestamp.optional(),
  expiresAt: timestamp.optional(),
  urls: z.strictObject({ location: uri }),
});
