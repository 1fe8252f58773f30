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
const base = ["shared", "markdown", "html", "pdf"];

const files = execFileSync(
  "git",
  ["ls-files", "-co", "--exclude-standard", "packages", "services", "gateway", "reader"],
  {
    cwd: root,
    encoding: "utf8",
  },
)
  .split("\n")
  .filter((file) => /\/src\/.*\.tsx?$/.test(file));
const wrong = [
  ...files.flatMap(wrongImports),
  ...packages().flatMap(wrongDependencies),
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
    return /^(packages|services|gateway|reader)\//.test(path) && homeOf(path) !== importer
      ? "what lies in another package is imported by that package's name"
      : undefined;
  const [, imported = "", module] = path.split("/");
  if (imported === importer) return undefined;
  if (importer === "html" && imported === "markdown") return undefined;
  if (importer === "pdf" && ["markdown", "html"].includes(imported)) return undefined;
  if (base.includes(importer) && base.includes(imported))
    return `${base.join(", ")} do not know each other, but for html, which draws what markdown reads`;
  if (base.includes(imported)) return undefined;
  const isTest = /\.test\.ts$|\/testing\//.test(file);
  if (imported === "launcher") return isTest ? undefined : "nothing but tests stands on the launcher";
  if (base.includes(importer)) return "packages that services stand on know none of them";
  if (file === "gateway/src/collect-routes.ts" && module === "router") return undefined;
  if (services.includes(importer) && !isBefore(imported, importer))
    return `calls go down the line ${services.join(" ← ")}`;
  if (module !== "client" || !typesOnly)
    return `of another service, \`import type … from "@octavo/${imported}/client"\` is all that may be imported`;
  return undefined;
}

/** Neighbours are needed for the types of their clients, so at build time alone: an image of one service has no other. */
function wrongDependencies(folder: string): string[] {
  const file = `${folder}/package.json`;
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(join(root, file), "utf8"));
  const neighbours = (of: object) => services.filter((service) => `@octavo/${service}` in of);
  const own = homeOf(`${folder}/`);
  return [
    ...neighbours(dependencies).map((name) => `${file} depends on ${name}: it belongs to devDependencies`),
    ...neighbours(devDependencies)
      .filter((name) => services.includes(own) && !isBefore(name, own))
      .map((name) => `${file} depends on ${name}: calls go down the line`),
  ];
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
