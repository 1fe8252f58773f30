/**
 * Fails when code imports what is not its to import. Services form a line, orgs ← content ← sites ← integrations: one knows
 * those before it, and of them the types of their clients alone, so that none holds a line of another's code. What every
 * service stands on knows none of them. The gateway has the same types, and lists the operations of all routers at build time.
 * Inside a service, folders have an order of dependency (layers.ts); nowhere do files or folders import each other in a circle.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isForTests, problemsOf } from "./direction.js";
import { importsOf } from "./imports-of.js";
import { layers } from "./layers.js";

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
const wrong = [
  ...files.flatMap(wrongImports),
  ...services.flatMap(wrongDependencies),
  ...packages().flatMap(withoutDirection),
];
for (const line of wrong) process.stderr.write(`${line}\n`);
process.exitCode = wrong.length > 0 ? 1 : 0;

function wrongImports(file: string): string[] {
  const importer = homeOf(file);
  return importsOf(readFileSync(join(root, file), "utf8")).flatMap(({ from, typesOnly }) => {
    const path = from.startsWith(".") ? join(dirname(file), from) : from;
    const why = refusal(file, importer, path, typesOnly);
    return why ? [`${file} imports ${from}: ${why}`] : [];
  });
}

/** Why this may not be imported there; nothing when it may. */
function refusal(file: string, importer: string, path: string, typesOnly: boolean): string | undefined {
  if (!path.startsWith("@octavo/"))
    return /^(packages|services|gateway)\//.test(path) && homeOf(path) !== importer
      ? "what lies in another package is imported by that package's name"
      : undefined;
  const [, imported = "", module] = path.split("/");
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

function wrongDependencies(service: string): string[] {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(root, "services", service, "package.json"), "utf8"),
  );
  return Object.keys(dependencies)
    .filter((name) => name.startsWith("@octavo/"))
    .map((name) => name.split("/")[1]!)
    .filter((name) => !base.includes(name) && !isBefore(name, service))
    .map((name) => `services/${service}/package.json depends on ${name}: calls go down the line`);
}

function isBefore(one: string, other: string): boolean {
  return services.includes(one) && services.indexOf(one) < services.indexOf(other);
}

/** The folders that hold a `src`, such as `services/orgs`. */
function packages(): string[] {
  return [...new Set(files.map((file) => file.slice(0, file.indexOf("/src/"))))];
}

function withoutDirection(folder: string): string[] {
  const prefix = `${folder}/src/`;
  const own = files.filter((file) => file.startsWith(prefix) && !isForTests(file));
  const sources = new Map(
    own.map((file) => [file.slice(prefix.length), readFileSync(join(root, file), "utf8")]),
  );
  return problemsOf(sources, layers[homeOf(prefix)]).map((problem) => `${prefix}: ${problem}`);
}

/** `services/orgs/src/access/members.ts` → `orgs` */
function homeOf(file: string): string {
  return file.split("/").find((part) => part !== "packages" && part !== "services")!;
}
