/** `npm run new -- <service>/<folder> [--table]`: an empty resource, red until it is filled (docs/new-resource.md). */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { writeResource } from "./write.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { table: { type: "boolean", default: false } },
});

try {
  const [argument = ""] = positionals;
  const files = writeResource(root, argument, values);
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  run("npx", "biome", "check", "--write", ...files.filter((file) => file.endsWith(".ts")));
  run("npm", "run", "--silent", "build");
  run("npm", "run", "--silent", "routes");
  const written = [...files, "gateway/routes.json"];
  process.stdout.write(`${written.map((file) => `  ${file}`).join("\n")}\n`);
  process.stdout.write("What is to be written there: npm run check. How: docs/new-resource.md.\n");
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
