import { randomBytes } from "node:crypto";
import pg from "pg";

/** The services that own a schema, each with a database role of its own. */
export const schemas = ["orgs", "content", "sites", "integrations"] as const;
export type SchemaName = (typeof schemas)[number];

const DATABASE = "octavo";

export interface ProvisionOptions {
  /** A superuser's address, or that of a role with CREATEDB and CREATEROLE. */
  adminUrl: string;
  /** The roles' passwords; generated where they are not given. */
  passwords?: Partial<Record<SchemaName, string>>;
  /** Name of the database, and what the roles' names begin with. */
  database?: string;
}

export interface Provisioned {
  /** The address every service connects to, with its own role. */
  urls: Record<SchemaName, string>;
  /** Whether the database was made now, and so is empty. */
  created: boolean;
}

/**
 * Makes the database, and for each service a role that owns the schemas `<name>` and `<name>_jobs` and can
 * read no other. What is there already is brought into the same state.
 */
export async function provision(options: ProvisionOptions): Promise<Provisioned> {
  const { adminUrl, database = DATABASE } = options;
  const passwords = { ...generated(), ...options.passwords };
  const created = await connected(adminUrl, async (server) => {
    // Two launchers may provision one server at the same time.
    await server.query("select pg_advisory_lock(hashtext('octavo.provision'))");
    for (const name of schemas) await ensureRole(server, roleOf(database, name), passwords[name]);
    return ensureDatabase(server, database);
  });
  await connected(withPath(adminUrl, database), async (server) => {
    await server.query("select pg_advisory_lock(hashtext('octavo.provision'))");
    await server.query(`revoke all on database ${quoted(database)} from public`);
    await server.query("revoke all on schema public from public");
    for (const name of schemas) await ensureSchemas(server, database, name);
  });
  return { urls: urlsOf(adminUrl, passwords, database), created };
}

async function ensureRole(server: pg.Client, role: string, password: string) {
  const known = await server.query("select from pg_roles where rolname = $1", [role]);
  if (known.rowCount === 0) await server.query(`create role ${quoted(role)}`);
  await server.query(`alter role ${quoted(role)} with login password ${server.escapeLiteral(password)}`);
  // Only a superuser may give away what it is no member of.
  const { rows } = await server.query("select rolsuper from pg_roles where rolname = current_user");
  if (!rows[0].rolsuper) await server.query(`grant ${quoted(role)} to current_user`);
}

async function ensureDatabase(server: pg.Client, database: string): Promise<boolean> {
  const known = await server.query("select from pg_database where datname = $1", [database]);
  if (known.rowCount) return false;
  await server.query(
    `create database ${quoted(database)} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`,
  );
  return true;
}

async function ensureSchemas(server: pg.Client, database: string, name: SchemaName) {
  const role = quoted(roleOf(database, name));
  await server.query(`grant connect, temporary on database ${quoted(database)} to ${role}`);
  for (const schema of [name, `${name}_jobs`]) {
    await server.query(`create schema if not exists ${quoted(schema)} authorization ${role}`);
    await server.query(`alter schema ${quoted(schema)} owner to ${role}`);
    await server.query(`revoke all on schema ${quoted(schema)} from public`);
  }
  await server.query(`alter role ${role} in database ${quoted(database)} set search_path = ${quoted(name)}`);
}

async function connected<T>(url: string, work: (server: pg.Client) => Promise<T>): Promise<T> {
  const server = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await server.connect();
  try {
    return await work(server);
  } finally {
    await server.end();
  }
}

function generated(): Record<SchemaName, string> {
  const password = () => randomBytes(24).toString("base64url");
  return { orgs: password(), content: password(), sites: password(), integrations: password() };
}

/** The address that each service connects to, with its own role. */
export function urlsOf(
  adminUrl: string,
  passwords: Record<SchemaName, string>,
  database = DATABASE,
): Record<SchemaName, string> {
  const urlOf = (name: SchemaName) => {
    const url = new URL(withPath(adminUrl, database));
    url.username = roleOf(database, name);
    url.password = encodeURIComponent(passwords[name]);
    return url.href;
  };
  return {
    orgs: urlOf("orgs"),
    content: urlOf("content"),
    sites: urlOf("sites"),
    integrations: urlOf("integrations"),
  };
}

function withPath(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(database)}`;
  return changed.href;
}

const roleOf = (database: string, name: SchemaName) => `${database}_${name}`;
const quoted = (name: string) => pg.escapeIdentifier(name);
