import { ROLES, type Role } from "@octavo/shared/contracts/roles";
import { newId } from "@octavo/shared/ids";
import type { DefaultLevel } from "../db/tables/spaces.js";
import type { Membership } from "../orgs/orgs.js";
import type { Ctx } from "../trpc.js";

/** Numbers from 0 up to 1 that are the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Thing {
  id: string;
  parent: Thing | undefined;
  default_level: DefaultLevel;
  created_by: string;
  /** Of a space, whether anybody may view it. */
  public: boolean;
  /** By user or team. */
  grants: Map<string, Role>;
}

export interface Tree {
  organization: string;
  collections: Thing[];
  spaces: Thing[];
  /** With the role in the organization; undefined for people of elsewhere, who may have left. */
  people: (Omit<Membership, "role"> & { role: Role | null | undefined })[];
}

/** An organization with nested collections, spaces in them, members, guests and strangers, and grants on anything. */
export function randomTree(random: () => number): Tree {
  const below = (limit: number) => Math.floor(random() * limit);
  const one = <T>(of: readonly T[]): T => of[below(of.length)]!;
  const organization = newId();
  const teams = Array.from({ length: 4 }, (_, index) => `team-${index}-${organization}`);
  const roles = [...ROLES, null, null, undefined, undefined, one(ROLES)];
  const people = roles.map((role, index) => ({
    user: `user-${index}-${organization}`,
    role,
    teams: teams.filter(() => random() < 0.3),
  }));
  const subjects = [...people.map(({ user }) => user), ...teams, ...teams];
  const thing = (parents: Thing[], nested: number): Thing => ({
    id: newId(),
    parent: random() < nested && parents.length > 0 ? one(parents) : undefined,
    default_level: random() < 0.6 ? "inherit" : one([...ROLES, null, null, null]),
    created_by: one(people).user,
    public: random() < 0.25,
    grants: new Map(
      Array.from({ length: random() < 0.5 ? below(5) : 0 }, () => [one(subjects), one(ROLES)] as const),
    ),
  });
  const collections: Thing[] = [];
  for (let left = below(9); left > 0; left--) collections.push(thing(collections.slice(-3), 0.85));
  const spaces = Array.from({ length: 1 + below(9) }, () => thing(collections, 0.8));
  return { organization, collections, spaces, people };
}

const above = ({ parent }: Thing): string[] => (parent ? [...above(parent), parent.id] : []);

/** Writes a tree; its spaces have a first revision without pages. */
export async function plant({ db }: Ctx, { organization, collections, spaces }: Tree): Promise<void> {
  const row = ({ id, parent, default_level, created_by }: Thing, index: number) => ({
    id,
    organization,
    default_level,
    created_by,
    parent: parent?.id ?? null,
    position: `a${index}`,
  });
  for (const [index, thing] of collections.entries()) {
    const ancestors = above(thing);
    await db
      .insertInto("collection")
      .values({ ...row(thing, index), ancestors })
      .execute();
  }
  await db
    .insertInto("space")
    .values(
      spaces.map((thing, index) => ({
        ...row(thing, index),
        visibility: thing.public ? "public" : "private",
        revision: `revision-of-${thing.id}`,
      })),
    )
    .execute();
  const revisions = spaces.map(({ id }) => ({ id: `revision-of-${id}`, space: id, branch: id, seq: 1 }));
  await db
    .insertInto("branch")
    .values(revisions.map(({ id, space, seq }) => ({ id: space, space, seq, revision: id })))
    .execute();
  await db
    .insertInto("revision")
    .values(revisions.map((revision) => ({ ...revision, type: "edits" as const, parents: [] })))
    .execute();
  const grants = [...collections, ...spaces].flatMap(({ id, grants }) =>
    [...grants].map(([subject, role]) => ({
      target: id,
      subject,
      organization,
      role,
      subject_kind: subject.startsWith("team") ? ("team" as const) : ("user" as const),
    })),
  );
  if (grants.length > 0) await db.insertInto("content_grant").values(grants).execute();
}

/** What a person may do with a thing, read off the rules as they are written down, one step after the other. */
export function expectedLevel(person: Tree["people"][number], thing: Thing): Role | null | undefined {
  const { user, role, teams } = person;
  if (role === undefined || role === "admin") return role;
  const own = thing.grants.get(user);
  if (own) return own;
  const ofTeams = teams.flatMap((team) => thing.grants.get(team) ?? []);
  if (ofTeams.length > 0) return ROLES.findLast((step) => ofTeams.includes(step));
  if (thing.default_level === "inherit") return thing.parent ? expectedLevel(person, thing.parent) : role;
  if (role === null) return null;
  return thing.default_level ?? (thing.created_by === user ? "create" : null);
}
