import type { Names } from "./names.js";
import { SERVICES } from "./services.js";

/** The files of a new resource by their names: a list and a creation, as the others are made. */
export function filesOf(names: Names, { table }: { table: boolean }): Record<string, string> {
  return {
    "schema.ts": schema(names),
    "router.ts": router(names),
    "rules.ts": rules(names),
    "queries.ts": table ? queries(names) : queriesToWrite(names),
    "view.ts": view(names),
    [`${names.path}.test.ts`]: tests(names),
  };
}

const schema = ({
  type,
  types,
  object,
  words,
}: Names) => `import { id, listOf, paging, text } from "@octavo/shared/contracts/fields";
import { z } from "zod";

// To be written: the fields of a ${words}, and what a caller may set.
export const ${type} = z
  .object({
    object: z.literal("${object}"),
    id: z.string(),
    title: z.string(),
  })
  .meta({ id: "${type}" });
export type ${type} = z.output<typeof ${type}>;

export const ${types} = listOf(${type});

export const List = z.object({ organizationId: id, ...paging });
export const Create = z.object({ organizationId: id, title: text(100, 1) });
`;

const router = ({
  up,
  path,
  many,
  type,
  types,
  words,
  manyWords,
}: Names) => `import { get, post, router } from "${up}/trpc.js";
import * as rules from "./rules.js";
import { Create, List, ${type}, ${types} } from "./schema.js";

const ${constant(path)} = "/orgs/{organizationId}/${path}";

export const ${many} = router({
  list: get(${constant(path)}, {
    operationId: "list${types}InOrganization",
    permission: "organization.view",
    summary: "List the ${manyWords} of an organization",
  })
    .input(List)
    .output(${types})
    .query(rules.list),
  create: post(${constant(path)}, {
    operationId: "create${type}InOrganization",
    permission: "organization.admin",
    summary: "Create a ${words}",
  })
    .input(Create)
    .output(${type})
    .mutation(rules.create),
});
`;

const rules = ({
  up,
  folder,
  service,
  type,
  types,
  words,
  manyWords,
}: Names) => `import type { z } from "zod";
import type { Call } from "${up}/trpc.js";
import type { Create, List, ${type}, ${types} } from "./schema.js";

// Who may is decided here, by an action of permissions.ts; what is written is written with its audit event, in one \`transact\`.

/** Lists the ${manyWords} of an organization. */
export async function list(_: Call<typeof List>): Promise<z.output<typeof ${types}>> {
  throw new Error("To be written: list in services/${service}/src/${folder}/rules.ts: who may, then \`paginate\`");
}

/** Creates a ${words}. */
export async function create(_: Call<typeof Create>): Promise<${type}> {
  throw new Error("To be written: create in services/${service}/src/${folder}/rules.ts: who may, insert, audit");
}
`;

const queries = ({
  up,
  table,
  words,
  manyWords,
}: Names) => `import type { Insertable, Selectable } from "kysely";
import type { Database } from "${up}/db/database.js";
import type { Ctx } from "${up}/trpc.js";

export type Row = Selectable<Database["${table}"]>;

/** The ${manyWords} of an organization, for \`paginate\`. */
export const list = ({ db }: Ctx, organization: string) =>
  db.selectFrom("${table}").selectAll().where("organization", "=", organization);

/** Stores a new ${words}. */
export const insert = ({ db }: Ctx, row: Insertable<Database["${table}"]>): Promise<Row> =>
  db.insertInto("${table}").values(row).returningAll().executeTakeFirstOrThrow();
`;

const queriesToWrite = ({
  words,
}: Names) => `// To be written: the SQL, over tables that there are or a new one, whose migration \`--table\` writes.

/** A ${words} as it is stored. */
export interface Row {
  id: string;
  title: string;
}
`;

const view = ({ one, type, object }: Names) => `import type { Row } from "./queries.js";
import type { ${type} } from "./schema.js";

export const view = (${one}: Row): ${type} => ({
  object: "${object}",
  id: ${one}.id,
  title: ${one}.title,
});
`;

function tests({ service, up, path, one, many }: Names): string {
  const { file, start, end, organization, call } = SERVICES[service];
  return `import { afterAll, expect, test } from "vitest";
import { ${start} } from "${up}/${file}";

const service = await ${start}();
afterAll(() => service.${end}());

test("GET …/${path} lists what was created by POST", async () => {
  const organizationId = ${organization};
  const { ${many} } = ${call};
  const ${one} = await ${many}.create({ organizationId, title: "First" });
  expect(await ${many}.list({ organizationId, limit: 10 })).toEqual({ items: [${one}], count: 1 });
});

test("…/${path} is for those who may", () => {
  throw new Error("To be written: every operation, called by who may not: nothing is disclosed, nothing changes");
});
`;
}

/** The migration of its table. */
export const migrationOf = ({ table, manyWords }: Names) => `import { type Kysely, sql } from "kysely";

// To be written: the columns of the ${manyWords}, and the index that their list needs.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql\`create table ${table} (
    id text primary key,
    organization text not null,
    title text not null,
    created_at timestamptz(3) not null default now()
  )\`.execute(db);
  await sql\`create index ${table}_organization on ${table} (organization, id)\`.execute(db);
}
`;

/** Its shape on the wire, as the tests of the contract hold it. */
export const shapeOf = ({ type, object, words }: Names) => `import { z } from "zod";
import { id } from "./basics.js";

// To be written: the fields of a ${words} as clients know them, by hand.
export const ${type} = z.strictObject({ object: z.literal("${object}"), id, title: z.string() });
`;

const constant = (path: string) => path.replaceAll("-", "_").toUpperCase();
