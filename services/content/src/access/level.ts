import {
  type Caller,
  type IntegrationCaller,
  isWithin,
  roleIn,
  type UserCaller,
} from "@octavo/shared/contracts/callers";
import { atLeast, type Level, ROLES, type Role } from "@octavo/shared/contracts/roles";
import { refuse } from "@octavo/shared/errors";
import type { DefaultLevel, Visibility } from "../db/tables/spaces.js";
import type { Membership } from "../orgs/orgs.js";
import { allow, type ContentAction, permits, roleFor, type SpaceAction } from "../permissions.js";
import { sightOf, type Visited } from "./visitor.js";

/** A role that was granted directly to a user or a team. */
export interface Grant {
  kind: "user" | "team";
  role: Role;
}

/** One level of what content lies in, with the grants that concern the caller. */
export interface Container {
  id: string;
  created_by: string;
  default_level: DefaultLevel;
  grants: Grant[];
}

/** What decides who may do what with a space or a collection. */
export interface Access {
  organization: string;
  /** The thing itself first, then the collections around it, innermost first. */
  containers: Container[];
}

/**
 * What the caller may do with a piece of content. Administrators may do everything; else the first level that is set counts,
 * from the thing itself outwards: a direct grant (the user's own before the highest of the teams'), then a default
 * level that is not `inherit`; at last the role in the organization. A default level of null admits nobody but
 * administrators, those with a grant, and who created what carries it. A guest has only what is granted.
 * Source: permissions and inheritance of the interface.
 */
export function levelOn(caller: Caller, access: Access): Level {
  return caller.kind === "integration" ? levelOfScript(caller, access) : levelOf(caller, access);
}

/**
 * What a script may do with a piece of content: nothing outside of what its installation works in. Installed on single
 * spaces by who may admit others there, it was granted these; else members' default levels hold for it as well.
 */
function levelOfScript(caller: IntegrationCaller, access: Access): Level {
  const { spaces } = caller;
  const [thing] = access.containers;
  const most = roleOfScript(caller, access.organization);
  if (!most || !isWithin(spaces, thing?.id ?? "")) return undefined;
  if (spaces && !spaces.all) return most;
  const level = levelOf(caller, access);
  return atLeast(level, most) ? most : level;
}

/** The role that a script has in the organization that installed it: more than `read` where its scopes let it write. */
function roleOfScript(caller: Caller, organization: string): Level {
  const role = roleIn(caller, organization);
  const writes = caller.kind === "integration" && WRITING.some((scope) => caller.scopes.includes(scope));
  return role && writes ? roleFor("space.triggerGitSync") : role;
}

/** The scopes of integrations by which contents are changed. */
const WRITING = ["space:content:write", "space:git:sync"];

function levelOf(caller: Caller, access: Access): Level {
  const membership = roleOfScript(caller, access.organization);
  if (membership === undefined || permits(membership, "organization.admin")) return membership;
  for (const { created_by, default_level, grants } of access.containers) {
    const granted = strongest(grants);
    if (granted) return granted;
    if (default_level === "inherit") continue;
    if (membership === null) return null;
    const creator = caller.kind === "user" && caller.id === created_by;
    return default_level ?? (creator ? "create" : null);
  }
  return membership;
}

function strongest(grants: Grant[]): Role | undefined {
  const own = grants.find(({ kind }) => kind === "user");
  return own?.role ?? ROLES.findLast((role) => grants.some((grant) => grant.role === role));
}

/** The ids under which grants to the caller are kept: the user's own, and the teams'. */
export function subjectsOf(caller: Caller): string[] {
  return caller.kind === "user" ? [caller.id, ...caller.teams] : [];
}

/** A member as the caller of `levelOn`: what they may do, whoever asks. */
export function memberOf(organization: string, { user, role, teams }: Membership): UserCaller {
  return { kind: "user", id: user, name: "", organizations: { [organization]: role }, teams, token: "" };
}

/** Whether the caller administers an organization; there, nothing else decides. */
export const administers = (caller: Caller, organization: string): boolean =>
  permits(roleIn(caller, organization), "organization.admin");

/** Whether the caller administers some organization. */
export const administersAny = (caller: Caller): boolean =>
  caller.kind === "service" ||
  (caller.kind === "user" &&
    Object.values(caller.organizations).some((role) => permits(role, "organization.admin")));

/** What a read without a lock may take: whatever needs more is a change, and decides under a lock (`access/lock.ts`). */
export type ReadAction = Extract<SpaceAction, "space.access" | "space.view">;

/** What decides who may view a space. */
export interface Viewed extends Access, Visited {
  visibility: Visibility;
}

/**
 * Whoever may read a space may view its content, and so may everybody while it is public, as visitors of its site do. Who
 * comes as a visitor of one site views what that site shows, until its audience is narrowed.
 */
export function mayView(caller: Caller, row: Viewed): boolean {
  if (caller.kind === "reader") return sightOf(caller, row) === "shown";
  // A script sees what it was installed for, and nothing else.
  const isOpen = row.visibility === "public" && caller.kind !== "integration";
  return permits(levelOn(caller, row), "space.view") || isOpen;
}

/**
 * Guards a space, and returns the caller's level on it: 404 to those who may not even view it, or need more and may not
 * read it; 403 to who may too little. A visitor of a site reads what it shows; 401 once the token has ended.
 */
export function allowSpace(caller: Caller, row: Viewed, action: ContentAction): Level {
  const level = levelOn(caller, row);
  const reading = action === "space.view" || (caller.kind === "reader" && action === "space.access");
  if (!reading) allow(level, action, "Space");
  else if (!mayView(caller, row)) {
    if (caller.kind === "reader" && sightOf(caller, row) === "ended")
      refuse("UNAUTHORIZED", "Token: the audience of its site has changed", TOKEN_ENDED);
    refuse("NOT_FOUND", "Space: not found");
  }
  return level;
}

const TOKEN_ENDED = { reason: "reader_token_ended" };
