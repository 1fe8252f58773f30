import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Provisioned, provision, type SchemaName, schemas } from "./provision.js";

const adminUrl = process.env.DATABASE_URL ?? "";
const database = `octavo_${randomBytes(4).toString("hex")}`;
let made: Provisioned;

beforeAll(async () => {
  made = await provision({ adminUrl, database });
  for (const name of schemas) {
    await as(name, "create table secret (word text)", `insert into secret values ('${name}')`);
    await as(name, `create table ${name}_jobs.job (payload text)`);
  }
});

afterAll(async () => {
  await query(adminUrl, `drop database ${database} with (force)`);
  for (const name of schemas) await query(adminUrl, `drop role ${database}_${name}`);
});

for (const reader of schemas) {
  for (const owner of schemas.filter((name) => name !== reader)) {
    test(`the role of ${reader} cannot read a table of ${owner}`, async () => {
      await expect(as(reader, `select * from ${owner}.secret`)).rejects.toMatchObject({ code: "42501" });
      await expect(as(reader, `select * from ${owner}_jobs.job`)).rejects.toMatchObject({ code: "42501" });
      await expect(as(reader, `create table ${owner}.mine ()`)).rejects.toMatchObject({ code: "42501" });
      await expect(as(reader, `set role ${database}_${owner}`)).rejects.toMatchObject({ code: "42501" });
    });
  }

  test(`the role of ${reader} reads its own tables, unqualified`, async () => {
    expect(await as(reader, "select word from secret")).toEqual([{ word: reader }]);
  });

  test(`the role of ${reader} can make no schema, and no table in public`, async () => {
    await expect(as(reader, "create schema another")).rejects.toMatchObject({ code: "42501" });
    await expect(as(reader, "create table public.mine ()")).rejects.toMatchObject({ code: "42501" });
  });
}

test("provisioning again keeps the data and takes new passwords", async () => {
  const before = made;
  made = await provision({ adminUrl, database });
  expect(before.created).toBe(true);
  expect(made.created).toBe(false);
  expect(await as("content", "select word from secret")).toEqual([{ word: "content" }]);
  await expect(query(before.urls.content, "select 1")).rejects.toMatchObject({ code: "28P01" });
});

test("provisioning twice at the same time leaves one consistent result", async () => {
  const passwords = { orgs: "a b/c:d@e", content: "2", sites: "3", integrations: "4" };
  const [one, two] = await Promise.all([1, 2].map(() => provision({ adminUrl, database, passwords })));
  expect(one).toEqual(two);
  made = one ?? made;
  expect(await as("orgs", "select word from secret")).toEqual([{ word: "orgs" }]);
});

test("an administrator who is no superuser can provision", async () => {
  const [role, own] = [`${database}_admin`, `${database}_managed`];
  await query(adminUrl, `create role ${role} login createdb createrole password 'managed'`);
  const url = new URL(adminUrl);
  [url.username, url.password] = [role, "managed"];
  const managed = await provision({ adminUrl: url.href, database: own });
  expect(await query(managed.urls.sites, "select current_schema() as schema")).toEqual([{ schema: "sites" }]);
  await query(adminUrl, `drop database ${own} with (force)`);
  for (const name of schemas) await query(adminUrl, `drop role ${own}_${name}`);
  await query(adminUrl, `drop role ${role}`);
});

const as = (name: SchemaName, ...statements: string[]) => query(made.urls[name], ...statements);

async function query(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}
