import type { Caller } from "@octavo/shared/contracts/callers";
import type { Level } from "@octavo/shared/contracts/roles";
import { found } from "@octavo/shared/errors";
import { sql } from "kysely";
import { allowSpace, type ReadAction } from "../access/level.js";
import { type Locking, readLocked } from "../access/lock.js";
import { PUBLISHED } from "../access/visibility.js";
import { shownRevision } from "../access/visitor.js";
import type { ChangeRequestStatus } from "../db/tables/change-requests.js";
import type { ContentAction } from "../permissions.js";
import { type Version, versionOfBranch, versionOfRevision } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import {
  isNumber,
  type NamedRow,
  nothing,
  type Projection,
  readScope,
  readSpace,
  type SpaceRow,
} from "./read-space.js";
import { tagRevision } from "./tag.js";

/** What the path of a request names: a space's primary content, a change request (id or number), or a revision. */
export interface Target {
  spaceId: string;
  changeRequestId?: string;
  revisionId?: string;
  /** Whether what is read at a revision is the same for good, so that the revision alone shows whether a client has it. */
  immutable?: boolean;
  /**
   * Whether a revision is read by one query as the current content, which for visitors and services that ask for them it
   * mostly is, and by a second one only when it is not. Of what costs little to read.
   */
  likelyHead?: boolean;
}

/** The content that a request is about, and what the caller may do with it. */
export interface ResolvedTarget {
  space: string;
  organization: string;
  editMode: "live" | "locked";
  level: Level;
  /** Whether a site shows the space to everybody. */
  isPublic: boolean;
  version: Version;
  changeRequest?: { id: string; number: number; status: ChangeRequestStatus; branch: string; author: string };
}

/** Resolves a target for a caller who may read or view its space: 404 to all others. */
export async function resolveTarget(
  ctx: Ctx,
  target: Target,
  action: ReadAction = "space.access",
): Promise<ResolvedTarget> {
  return resolve(ctx, target, found(await readScope(ctx, target), "Space"), action);
}

/**
 * Tags the response to a read of a target by its revision, without looking for what is there; 404 to who may not read or
 * view its space.
 *
 * @throws NOT_MODIFIED when the client has the response.
 */
export async function tagTarget(ctx: Ctx, target: Target, action: ReadAction): Promise<void> {
  const row = found(await readSpace(ctx, target.spaceId, nothing, {}), "Space");
  const { level, revision } = admit(ctx, target, row, action);
  if (revision !== undefined) tag(ctx, target, { level, version: { revision } });
}

/**
 * Resolves a target for a change by a caller who may do this on its space: 404 to strangers, else 403. Nothing that this
 * depends on changes until the transaction ends: neither who owns the space, nor where it lies, nor who may do what there.
 * Of who has waited before, orgs is asked once more.
 */
export async function lockTarget(
  ctx: Ctx,
  target: Target,
  action: ContentAction,
  { hasWaited }: Pick<Locking, "hasWaited"> = {},
): Promise<ResolvedTarget> {
  const space = { kind: "space" as const, id: target.spaceId };
  const read = (ctx: Ctx) => readScope(ctx, target);
  const lockFree = (ctx: Ctx) => readScope(ctx, target, { locked: true });
  const row = await readLocked(ctx, space, read, { strength: "use", hasWaited, lockFree });
  return resolve(ctx, target, found(row, "Space"), action);
}

/**
 * Resolves a target and reads a part of its content. For the primary content that is one query, compiled once for each
 * part; a change request or a revision has to be found first.
 */
export async function readTarget<Row, Args extends object>(
  ctx: Ctx,
  target: Target,
  action: ReadAction,
  part: Projection<Row, Args>,
  args: Args,
): Promise<{ scope: ResolvedTarget; part: Row }> {
  const { kind } = ctx.caller;
  const isLikelyHead = target.likelyHead && (kind === "reader" || kind === "service");
  if (isPrimary(target) || isLikelyHead) {
    const row = found(await readSpace(ctx, target.spaceId, part, args), "Space");
    const scope = await resolve(ctx, target, row, action);
    const isHead = isPrimary(target) ? scope.version.seq === undefined : target.revisionId === row.revision;
    return isHead ? { scope, part: row } : readAt(ctx, scope, part, args);
  }
  return readAt(ctx, await resolveTarget(ctx, target, action), part, args);
}

async function readAt<Row, Args extends object>(
  ctx: Ctx,
  scope: ResolvedTarget,
  part: Projection<Row, Args>,
  args: Args,
) {
  const { columns, joins = sql`` } = part(scope.version, (name) => sql`${args[name]}`);
  const { rows } = await sql<Row>`select ${columns} from (select) as scope ${joins}`.execute(ctx.db);
  return { scope, part: rows[0]! };
}

const isPrimary = ({ changeRequestId, revisionId }: Target) =>
  changeRequestId === undefined && revisionId === undefined;

/**
 * Guards a space that was read, and finds the change request or revision that a target names there. What is immutable is
 * tagged as soon as its revision is known.
 */
async function resolve(
  ctx: Ctx,
  target: Target,
  row: SpaceRow & Partial<NamedRow>,
  action: ContentAction,
): Promise<ResolvedTarget> {
  const space = target.spaceId;
  const { level, revision } = admit(ctx, target, row, action);
  if (target.immutable && revision !== undefined) tag(ctx, target, { level, version: { revision } });
  const scope: ResolvedTarget = {
    space,
    organization: row.organization,
    editMode: row.edit_mode,
    level,
    isPublic: (PUBLISHED as readonly string[]).includes(row.visibility),
    version: { space, branch: space, revision: row.revision },
  };
  if (isPrimary(target) && revision === row.revision) return scope;
  if (revision !== undefined) scope.version = await versionOfRevision(ctx, space, revision);
  else Object.assign(scope, changeRequestIn(space, row));
  if (target.immutable && revision === undefined) tag(ctx, target, scope);
  return scope;
}

const tag = (ctx: Ctx, { revisionId }: Target, scope: Pick<ResolvedTarget, "level"> & Revised) =>
  tagRevision(ctx, scope, revisionId !== undefined);

interface Revised {
  version: { revision: string };
}

/** Guards a space that was read; the revision that is named or shown there, and undefined for a change request. */
function admit(
  ctx: Ctx,
  target: Target,
  read: SpaceRow,
  action: ContentAction,
): { level: Level; revision: string | undefined } {
  const row = { ...read, id: target.spaceId };
  const primary = isPrimary(target);
  // Only the primary content is what visitors see; change requests and history are for those who read the space.
  const level = allowSpace(ctx.caller, row, primary || action !== "space.view" ? action : "space.access");
  const shown = shownRevision(ctx.caller, row, level);
  if (!isShownTo(ctx.caller, target, shown))
    found(undefined, target.revisionId ? "Revision" : "Change request");
  return { level, revision: primary ? shown : target.revisionId };
}

/**
 * A visitor of a site sees what is published: the primary content, or the revision that is pinned, also by its id, and by
 * that of the address.
 */
function isShownTo(caller: Caller, target: Target, revision: string): boolean {
  if (caller.kind !== "reader" || isPrimary(target)) return true;
  if (target.changeRequestId !== undefined) return false;
  const resolved = caller.space === target.spaceId ? caller.revision : revision;
  return target.revisionId === revision || target.revisionId === resolved;
}

function changeRequestIn(space: string, row: Partial<NamedRow>) {
  const { change_request, number, status, author, head_seq, head_revision, head_base } = row as NamedRow;
  const id = found(change_request ?? undefined, "Change request");
  const head = { id, seq: head_seq, revision: head_revision, base_seq: head_base };
  return {
    changeRequest: { id, number, status, branch: id, author },
    version: versionOfBranch(space, head),
  };
}

/** A change request goes by its id or by its number inside the space. */
export const namedBy = (idOrNumber: string) =>
  isNumber(idOrNumber)
    ? sql<boolean>`change_request.number = ${Number(idOrNumber)}`
    : sql<boolean>`change_request.id = ${idOrNumber}`;
