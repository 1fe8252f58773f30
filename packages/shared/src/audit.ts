import { isDeepStrictEqual } from "node:util";
import type { BaseContext } from "./context.js";
import type { Caller, ServiceName } from "./contracts/callers.js";
import { type AuditDetails, type AuditEntry, AuditRecorded } from "./contracts/events/audit.js";
import { type EmitContext, emit } from "./events/outbox.js";
import { newId } from "./ids.js";

/** A write, as its rule describes it. */
export interface Deed {
  organization: string | null;
  /** `<thing>.<what was done>`, such as `space.transfer`. */
  action: `${string}.${string}`;
  target: { type: string; id: string };
  /** Never secrets, tokens or bodies; `changed` makes them of a row and what is set on it. */
  details?: AuditDetails;
}

type AuditContext = EmitContext & Pick<BaseContext<never>, "caller" | "clock" | "ip" | "requestId">;

const LONGEST = 500;
const MOST = 1000;

/**
 * Binds the audit to a service: `await audit(ctx, { organization, action, target })` inside `transact`, after the
 * write that it records, or with several deeds after as many. All are committed together or not at all. `keep` is for
 * orgs alone, where the entries live.
 */
export const createAudit =
  <Context extends AuditContext>(
    service: ServiceName,
    keep: (ctx: Context, entries: AuditEntry[]) => Promise<unknown> = send,
  ) =>
  async (ctx: Context, ...deeds: Deed[]): Promise<void> => {
    if (deeds.length === 0) return;
    if (!ctx.db.isTransaction) throw new Error(`${deeds[0]!.action} is recorded outside a transaction`);
    const entries = deeds.map(({ details, ...deed }) => ({
      id: newId(),
      service,
      ...deed,
      ...whoIs(ctx.caller),
      ip: ctx.ip,
      requestId: ctx.requestId,
      occurredAt: ctx.clock().toISOString(),
      details: details && (shortened(details) as AuditDetails),
    }));
    await keep(ctx, entries);
  };

type Audit<Context> = (ctx: Context, ...deeds: Deed[]) => Promise<void>;

/** The thing a record is about, and the organization whose administrators read of it; `null` is nobody's. */
export interface Owned {
  id: string;
  organization: string | null;
}

/** The audit of one kind of things: `await auditTeam(ctx, "team.create", team, details)`, inside `transact`. */
export const auditOf =
  <Context, Kind extends string>(audit: Audit<Context>, kind: Kind) =>
  (ctx: Context, action: `${Kind}.${string}`, { id, organization }: Owned, details?: AuditDetails) =>
    audit(ctx, { organization, action, target: { type: kind, id }, details });

async function send(ctx: EmitContext, entries: AuditEntry[]): Promise<void> {
  for (const entry of entries) await emit(ctx, AuditRecorded, entry.target.id, entry);
}

function whoIs(caller: Caller): Pick<AuditEntry, "actor" | "token"> {
  if (caller.kind === "service") {
    return { actor: { type: "service", id: caller.service, displayName: caller.service } };
  }
  if (caller.kind === "integration") {
    const { integration, token } = caller;
    return {
      actor: { type: "integration", id: integration, displayName: integration },
      token: token || undefined,
    };
  }
  if (caller.kind === "reader") throw new Error("A visitor of a site writes nothing");
  return {
    actor: { type: "user", id: caller.id, displayName: caller.name },
    token: caller.token || undefined,
  };
}

/** Texts and lists as long as a reader of the audit wants them. */
function shortened(value: unknown): unknown {
  if (typeof value === "string")
    return value.length > LONGEST ? `${[...value].slice(0, LONGEST).join("")}…` : value;
  if (Array.isArray(value)) return value.slice(0, MOST).map(shortened);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortened(each)]));
}

/**
 * The fields of `set` that differ from the row, with what they were and are. Of structured values it records only that
 * they changed; `undefined` is a field that is not set. Names are those of the wire: `default_level` is `defaultLevel`.
 */
export function changed(row: object, set: object): AuditDetails {
  const details: AuditDetails = {};
  for (const [column, to] of Object.entries(set)) {
    const from = (row as Record<string, unknown>)[column] ?? null;
    if (to === undefined || isDeepStrictEqual(from, to)) continue;
    details[wireName(column)] = isPlain(from) && isPlain(to) ? { from, to } : "changed";
  }
  return details;
}

type Plain = string | number | boolean | null;

const isScalar = (value: unknown): value is Plain =>
  value === null || ["string", "number", "boolean"].includes(typeof value);
const isPlain = (value: unknown): value is Plain | Plain[] =>
  isScalar(value) || (Array.isArray(value) && value.every(isScalar));
const wireName = (column: string) => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
