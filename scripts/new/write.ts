import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { namesOf } from "./names.js";
import { rowsOf, tableRowsOf } from "./rows.js";
import { filesOf, migrationOf, shapeOf } from "./templates.js";

/**
 * Writes an empty resource into the project at `root`, and its row into every table that has one for each. Returns the
 * files that were written or changed. Throws, and writes nothing, when the folder is there or a table is not found.
 */
export function writeResource(root: string, argument: string, { table }: { table: boolean }): string[] {
  const names = namesOf(argument);
  const src = `services/${names.service}/src`;
  const folder = `${src}/${names.folder}`;
  if (existsSync(join(root, folder))) throw new Error(`${folder} is there already`);
  if (!existsSync(join(root, dirname(folder)))) throw new Error(`${dirname(folder)} is not there`);
  const migration = `${nextNumber(join(root, src, "migrations"))}-${names.path}`;
  const made = {
    ...Object.fromEntries(
      Object.entries(filesOf(names, { table })).map(([name, text]) => [`${folder}/${name}`, text]),
    ),
    [`tests/contract/${names.object}-shapes.ts`]: shapeOf(names),
    ...(table ? { [`${src}/migrations/${migration}.ts`]: migrationOf(names) } : {}),
  };
  const rows = { ...rowsOf(names), ...(table ? tableRowsOf(names, migration) : {}) };
  const edited = Object.entries(rows).map(([file, edit]): [string, string] => [
    file,
    edit(readFileSync(join(root, file), "utf8")),
  ]);
  const all = [...Object.entries(made), ...edited];
  for (const [file, text] of all) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return all.map(([file]) => file);
}

/** The number after the newest migration's: `0005`. */
function nextNumber(folder: string): string {
  const newest = readdirSync(folder).sort().at(-1) ?? "0000";
  return String(Number(newest.slice(0, 4)) + 1).padStart(4, "0");
}
