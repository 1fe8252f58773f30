/**
 * Fails when code imports what is not its to import. Services form a line, orgs ← content ← sites ← integrations: one knows
 * those before it, and of them the types of their clients alone, so that none holds a line of another's code. What every
 * service stands on knows none of them. The gateway has the same types, and lists the operations of all routers at build time.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const services = ["orgs", "content", "sites", "integrations"];
const base = ["shared", "markdown"];

const files = execFileSync(
  "git",
  ["ls-files", "-co", "--exclude-standard", "packages", "services", "gateway"],
  {
    cwd: root,
    encoding: "utf8",
  },
)
  .split("\n")
  .filter((file) => /\/src\/.*\.ts$/.test(file));
const wrong = [...files.flatMap(wrongImports), ...services.flatMap(wrongDependencies)];
for (const line of wrong) process.stderr.write(`${line}\n`);
process.exitCode = wrong.length > 0 ? 1 : 0;

function wrongImports(file) {
  const importer = homeOf(file);
  return importsOf(readFileSync(join(root, file), "utf8")).flatMap(({ from, typesOnly }) => {
    const path = from.startsWith(".") ? join(dirname(file), from) : from;
    const why = refusal(file, importer, path, typesOnly);
    return why ? [`${file} imports ${from}: ${why}`] : [];
  });
}

/** Why this may not be imported there; nothing when it may. */
function refusal(file, importer, path, typesOnly) {
  if (!path.startsWith("@octavo/"))
    return /^(packages|services|gateway)\//.test(path) && homeOf(path) !== importer
      ? "what lies in another package is imported by that package's name"
      : undefined;
  const [, imported, module] = path.split("/");
  if (imported === importer || base.includes(imported)) return undefined;
  const isTest = /\.test\.ts$|\/testing\//.test(file);
  if (imported === "launcher") return isTest ? undefined : "nothing but tests stands on the launcher";
  if (base.includes(importer)) return "packages that services stand on know none of them";
  if (file === "gateway/src/collect-routes.ts" && module === "router") return undefined;
  if (importer === "launcher" && module === "client") return undefined;
  if (importer !== "gateway" && !isBefore(imported, importer))
    return `calls go down the line ${services.join(" ← ")}`;
  if (module !== "client" || !typesOnly)
    return `of another service, \`import type … from "@octavo/${imported}/client"\` is all that may be imported`;
  return undefined;
}

function wrongDependencies(service) {
  const { dependencies } = JSON.parse(readFileSync(join(root, "services", service, "package.json"), "utf8"));
  return Object.keys(dependencies)
    .filter((name) => name.startsWith("@octavo/"))
    .map((name) => name.split("/")[1])
    .filter((name) => !base.includes(name) && !isBefore(name, service))
    .map((name) => `services/${service}/package.json depends on ${name}: calls go down the line`);
}

function isBefore(one, other) {
  return services.includes(one) && services.indexOf(one) < services.indexOf(other);
}

/** `services/orgs/src/accounts/users/rules.ts` → `orgs` */
function homeOf(file) {
  return file.split("/").find((part) => part !== "packages" && part !== "services");
}

/** Static and dynamic imports, re-exports and types by `import("…")`, as the formatter writes them. */
function importsOf(text) {
  const statements = text.matchAll(
    /^(?:import|export)\s(?:(type)\s|[^"'`;]*?\bfrom\s|(?="))[^"'`;]*"([^"]+)";/gm,
  );
  const calls = text.matchAll(/\bimport\(\s*["'`]([^"'`]+)["'`]/g);
  return [
    ...[...statements].map(([, type, from]) => ({ from, typesOnly: type === "type" })),
    ...[...calls].map(([, from]) => ({ from, typesOnly: false })),
  ];
}
