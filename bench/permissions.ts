import { newId } from "@octavo/shared/ids";
import { type Client, createClient } from "../tests/harness/client.js";
import { type Database, openDatabase } from "../tests/harness/database.js";
import { type Person, register } from "../tests/harness/people.js";
import type { Stack } from "../tests/harness/stack.js";
import { type Line, median } from "./report.js";

const SPACES = 10_000;
const COLLECTIONS = 500;
const TEAMS = 3;
const ROUNDS = 120;
const WARM_UP = 20;

interface Collection {
  id: string;
  /** From the top. */
  ancestors: string[];
  spaces: number;
}

/**
 * The first hundred spaces of 10,000 in nested collections, which nobody may read but by grants to three teams: for a
 * member who reaches all of them, and for one who reaches about a hundred, against an administrator, in turns.
 */
export async function measurePermissions(stack: Stack): Promise<Line[]> {
  const database = openDatabase(stack);
  try {
    const admin = await register(stack, "Benchmark");
    const collections = await seed(database, admin.organization);
    const tops = collections.filter(({ ancestors }) => ancestors.length === 0);
    const everything = await member(stack, database, admin, "Everything", tops);
    const few = await member(stack, database, admin, "Few", reaching(collections, 100));
    await database.query("analyze content.space");
    await database.query("analyze content.collection");
    await database.query("analyze content.content_grant");
    const list = listOf(createClient(stack), admin.organization);
    const times: Record<string, number[]> = {};
    for (let round = 0; round < WARM_UP + ROUNDS; round++) {
      for (const [name, { token }] of Object.entries({ admin, everything, few })) {
        const took = await list(token);
        if (round >= WARM_UP) times[name] = [...(times[name] ?? []), took];
      }
    }
    return [
      compare(`list of 100 of ${SPACES} spaces, all by three teams`, times.everything!, times.admin!),
      compare(`list of 100 of ${SPACES} spaces, few by three teams`, times.few!, times.admin!),
    ];
  } finally {
    await database.close();
  }
}

function compare(what: string, filtered: number[], unfiltered: number[]): Line {
  const [ours, theirs] = [median(filtered), median(unfiltered)];
  const [measured, reference] = [`${ours.toFixed(1)} ms`, `${theirs.toFixed(1)} ms`];
  return { what, measured, reference, result: ours / theirs, target: { atMost: 3 } };
}

/** Milliseconds that the list takes for the holder of a token. */
const listOf = (call: Client, organization: string) => async (token: string) => {
  const start = performance.now();
  const { body } = await call.as(token)<{ items: unknown[] }>(
    "GET",
    `/orgs/${organization}/spaces?limit=100`,
  );
  if (body.items.length < 90) throw new Error(`Only ${body.items.length} spaces were listed`);
  return performance.now() - start;
};

/** Collections below one another that are closed at the top, each with as many spaces. */
async function seed({ query }: Database, organization: string): Promise<Collection[]> {
  const collections: Collection[] = [];
  for (let index = 0; index < COLLECTIONS; index++) {
    const around = index < 20 ? undefined : collections[Math.floor(index / 3)];
    const ancestors = around ? [...around.ancestors, around.id] : [];
    collections.push({ id: newId(), ancestors, spaces: SPACES / COLLECTIONS });
  }
  await query(
    `insert into content.collection (id, organization, parent, ancestors, default_level, position, created_by)
     select c->>'id', $1, c->'ancestors'->>-1, array(select jsonb_array_elements_text(c->'ancestors')),
       case when c->'ancestors' = '[]' then null else 'inherit' end, 'a' || lpad(at::text, 6, '0'), 'somebody'
     from jsonb_array_elements($2::jsonb) with ordinality as given (c, at)`,
    [organization, JSON.stringify(collections)],
  );
  await query(
    `insert into content.space (id, organization, title, parent, position, revision, created_by)
     select $1 || at, $1, 'Space ' || at, ($2::text[])[1 + at % $3], 'a' || lpad(at::text, 6, '0'), $1, 'somebody'
     from generate_series(1, $4::int) at`,
    [organization, collections.map(({ id }) => id), COLLECTIONS, SPACES],
  );
  return collections;
}

/** Collections that hold about so many spaces together with what is in them, none of them at the top. */
function reaching(collections: Collection[], wanted: number): Collection[] {
  const chosen: Collection[] = [];
  const leaves = collections.filter(({ id }) => !collections.some(({ ancestors }) => ancestors.includes(id)));
  for (let reached = 0; reached < wanted; reached += chosen.at(-1)!.spaces)
    chosen.push(leaves[chosen.length]!);
  return chosen;
}

/** Somebody whom nothing but their three teams lets in. */
async function member(
  stack: Stack,
  { query }: Database,
  { organization }: Person,
  name: string,
  granted: Collection[],
): Promise<Person> {
  const person = await register(stack, name);
  const teams = Array.from({ length: TEAMS }, () => newId());
  await query("insert into orgs.member (organization, person, role) values ($1, $2, 'read')", [
    organization,
    person.id,
  ]);
  for (const team of teams) {
    await query("insert into orgs.team (id, organization, title) values ($1, $2, $3)", [
      team,
      organization,
      name,
    ]);
    await query("insert into orgs.team_member (team, organization, person) values ($1, $2, $3)", [
      team,
      organization,
      person.id,
    ]);
  }
  await query(
    `insert into content.content_grant (target, subject, subject_kind, organization, role)
     select target, ($2::text[])[1 + at % $3], 'team', $4, 'edit'
     from unnest($1::text[]) with ordinality as given (target, at)`,
    [granted.map(({ id }) => id), teams, TEAMS, organization],
  );
  return person;
}
