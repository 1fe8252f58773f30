import type { Names } from "./names.js";

/** A change to a file that is there: its new text. */
type Edit = (text: string) => string;

/** The rows that a new resource needs in tables of the project, by the file that each table is in. */
export function rowsOf(names: Names): Record<string, Edit> {
  const { service, folder, path, many, type, object, words } = names;
  const src = `services/${service}/src`;
  const operation = `/orgs/{organizationId}/${path}`;
  return {
    "scripts/layers.ts": (text) => withLayer(text, names),
    [`${src}/router.ts`]: (text) =>
      `import { ${many} } from "./${folder}/router.js";\n${replaced(text, /(export const router = mount\(\{)(\s*)/, `$1$2${many},$2`)}`,
    [`${src}/audit.test.ts`]: (text) =>
      before(
        text,
        "\n};\n",
        `
  "${many}.create": () => {
    throw new Error("To be written: create a ${words} and return its audit event (${src}/audit.test.ts)");
  },`,
        text.indexOf("const writes"),
      ),
    "tests/harness/operations.ts": (text) =>
      before(
        text,
        "\n};\n",
        `
  // To be written: what the fields of a ${words} refuse.
  "GET ${operation}": { paged: true },
  "POST ${operation}": { body: { title: [1, null, "x".repeat(101)] }, good: { title: "Another" } },`,
        text.indexOf("export const operations"),
      ),
    "tests/harness/permissions.ts": (text) =>
      before(
        text,
        "\n};\n",
        `
  // To be written: the least role for a ${words}.
  "GET ${operation}": { needs: "read" },
  "POST ${operation}": { needs: "create" },`,
        text.indexOf("export const permissions"),
      ),
    "tests/contract/answers.test.ts": (text) =>
      `import { ${type} } from "./${object}-shapes.js";\n${replaced(
        text,
        /(const reads: Read\[\] = \[\n)/,
        `$1  ["GET ${path}", () => \`\${org()}/${path}\`, listOf(${type})],\n`,
      )}`,
    "docs/map.md": (text) => withPlaceOnMap(text, names),
  };
}

/** The rows that a table of its own needs; `migration` is the file's name without its ending. */
export function tableRowsOf({ service, table, type, many }: Names, migration: string): Record<string, Edit> {
  const src = `services/${service}/src`;
  return {
    [`${src}/migrations.ts`]: (text) =>
      before(
        `import * as ${many} from "./migrations/${migration}.js";\n${text}`,
        "\n};",
        `\n  "${migration}": ${many},`,
      ),
    [`${src}/db/database.ts`]: (text) =>
      replaced(
        text,
        /(export interface Database extends SharedTables \{\n)/,
        `interface ${type}Table {
  id: string;
  organization: string;
  title: string;
  created_at: ColumnType<string, string | undefined, string>;
}

$1  ${table}: ${type}Table;\n`,
      ).replace(/^(?![\s\S]*ColumnType[\s\S]*"kysely")/, 'import type { ColumnType } from "kysely";\n'),
  };
}

/** Puts a folder directly below `src` on top of all others; one in another folder has its place already. */
function withLayer(text: string, { service, folder, path }: Names): string {
  if (folder !== path) return text;
  const list = text.indexOf(`\n  ${service}: [`);
  const top = text.indexOf('"migrations', list);
  if (list < 0 || top < 0) throw new Error(`scripts/layers.ts has no list for ${service}`);
  return `${text.slice(0, top)}"${path}",\n    ${text.slice(top)}`;
}

/** Draws it as the last of the folder that it is in. */
function withPlaceOnMap(text: string, { service, folder, path, words }: Names): string {
  const lines = text.split("\n");
  let at = lines.indexOf("services/  each with a schema, a role and a port of its own");
  const parents = [service, "src", ...folder.split("/").slice(0, -1)];
  for (const [depth, parent] of parents.entries()) {
    const indent = "  ".repeat(depth + 1);
    at = lines.findIndex((line, index) => index > at && line.startsWith(`${indent}${parent}/`));
    if (at < 0) throw new Error(`docs/map.md does not draw ${parents.slice(0, depth + 1).join("/")}`);
  }
  const indent = "  ".repeat(parents.length + 1);
  let end = at + 1;
  while (lines[end]!.startsWith(indent)) end++;
  lines.splice(end, 0, `${indent}${path}/  To be written: what a ${words} is`);
  return lines.join("\n");
}

function before(text: string, mark: string, row: string, from = 0): string {
  const at = from < 0 ? -1 : text.indexOf(mark, from);
  if (at < 0) throw new Error(`no place for ${row.trim()}`);
  return text.slice(0, at) + row + text.slice(at);
}

function replaced(text: string, pattern: RegExp, by: string): string {
  if (!pattern.test(text)) throw new Error(`no place for ${by.trim()}`);
  return text.replace(pattern, by);
}
