import type { Role } from "@octavo/shared/contracts/roles";
import { refuseAll } from "@octavo/shared/errors";
import type { z } from "zod";
import * as admission from "../../admission/queries.js";
import type { Ctx } from "../../trpc.js";
import { isExpired } from "./admission.js";
import * as queries from "./queries.js";
import type { Send } from "./schema.js";

/** Whom an invite goes to, and what role it gives. */
export interface Address {
  email: string;
  role: Role | null;
  /** Where it stands in the request. */
  path: string;
}

/** The addresses that a request names, with the role that each of them is given. */
export function addressesOf(
  { emails, role: common }: z.output<typeof Send>,
  standard: Role | null,
): Address[] {
  const role = common === undefined ? standard : common;
  return emails.map((item, index) => {
    const path = `body.emails.${index}`;
    return typeof item === "string" ? { email: item, role, path } : { ...item, path };
  });
}

/** Those that were named before. */
export const twice = (all: Address[]) =>
  all.filter(({ email }, index) => all.findIndex((other) => other.email === email) < index);

/** Refuses addresses, naming each of them; nothing when there are none. */
export function refuseAny(
  code: "BAD_REQUEST" | "CONFLICT",
  message: string,
  which: Address[],
  reason?: string,
) {
  refuseAll(
    which.map(({ path }) => ({ path, message })),
    { code, reason },
  );
}

/**
 * Refuses addresses that are a member's or invited already: 409 naming each of them. An invite that nobody used in time
 * makes room for another.
 */
export async function refuseKnown(ctx: Ctx, organization: string, all: Address[]) {
  const emails = all.map(({ email }) => email);
  const joined = new Set(await queries.joined(ctx, organization, emails));
  const areIn = all.filter(({ email }) => joined.has(email));
  refuseAny("CONFLICT", "is a member already", areIn, "already_member");
  const known = await queries.pending(ctx, organization, emails);
  const expired = known.filter((row) => isExpired(ctx, row));
  const pending = new Set(known.filter((row) => !expired.includes(row)).map(({ email }) => email));
  const areInvited = all.filter(({ email }) => pending.has(email));
  refuseAny("CONFLICT", "is invited already", areInvited, "already_invited");
  const past = expired.map(({ id }) => id);
  if (past.length > 0) await admission.remove(ctx, past);
}
