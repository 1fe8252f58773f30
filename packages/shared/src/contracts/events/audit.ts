import { z } from "zod";
import { SERVICES } from "../callers.js";
import { defineEvent } from "./define.js";

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const value = z.union([scalar, z.array(scalar)]);

/** What is worth knowing of a write: plain values, and what a field was and is. Bodies have no place in it. */
const auditDetails = z.record(z.string(), z.union([value, z.object({ from: value, to: value })]));
export type AuditDetails = z.output<typeof auditDetails>;

/** Who did what to which thing, when, from where, with which token. */
export const auditEntry = z.object({
  id: z.string(),
  /** `null` for what concerns no organization, such as a token of somebody who is in none. */
  organization: z.string().nullable(),
  service: z.enum(SERVICES),
  /** `<thing>.<what was done>`, such as `space.transfer`. */
  action: z.string(),
  /** The name is the one of that time. */
  actor: z.object({
    type: z.enum(["user", "service", "integration"]),
    id: z.string(),
    displayName: z.string(),
  }),
  /** Id of the token, never the token. */
  token: z.string().optional(),
  ip: z.string().optional(),
  requestId: z.string(),
  target: z.object({ type: z.string(), id: z.string() }),
  occurredAt: z.string(),
  details: auditDetails.optional(),
});
export type AuditEntry = z.output<typeof auditEntry>;

/** Aggregate: the thing it was done to, so that organizations do not wait for themselves. orgs keeps the entries. */
export const AuditRecorded = defineEvent("audit.entry.recorded", auditEntry);
