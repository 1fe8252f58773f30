import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { LESS_KEPT, limitsOf, reader } from "@octavo/launcher/deployables";
import { soundEnvironment } from "@octavo/shared/testing/environment";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { z } from "zod";
import { isForTests } from "../scripts/direction.js";

const root = resolve(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

interface Service {
  image: string;
  build?: { context: string; dockerfile: string };
  environment?: Record<string, string | number>;
  depends_on?: Record<string, { condition: string }>;
  volumes?: string[];
}
const compose: { services: Record<string, Service>; volumes: Record<string, null> } = parse(
  read("docker-compose.yml"),
  { merge: true },
);
const dockerfiles = readdirSync(join(root, "deploy")).filter((name) => name.endsWith(".Dockerfile"));
const workspaces = ["gateway", "reader", ...["packages", "services"].flatMap((folder) => foldersIn(folder))];

function foldersIn(folder: string) {
  return readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
}

/** Values as `npm run --silent secrets > .env` and a set-up's own choices would give them. */
function filled(environment: Service["environment"] = {}): Record<string, string> {
  const keys: Record<string, string> = soundEnvironment();
  const value = (name: string) =>
    keys[name.replace(/^(OCTAVO_SIGNING_KEY)_.*/, "$1")] ?? "secret-of-some-length";
  const one = /\$\{(\w+)(?::([-?])([^${}]*))?\}/g;
  const fill = (_: string, variable: string, kind: string, rest: string) =>
    kind === "-" ? rest : value(variable);
  return Object.fromEntries(
    Object.entries(environment).map(([name, text]) => [
      name,
      // An innermost one is filled first: the default of one may name another.
      [1, 2].reduce((before) => before.replace(one, fill), String(text)),
    ]),
  );
}

test("there is a Dockerfile per deployable, and every file they copy exists", () => {
  expect(dockerfiles.map((name) => name.replace(".Dockerfile", ""))).toEqual(
    expect.arrayContaining(["gateway", "orgs", "content", "sites", "integrations", "reader"]),
  );
  for (const name of dockerfiles) {
    for (const [, flag, paths] of read(`deploy/${name}`).matchAll(/^COPY (--from=\S+ )?(.*)$/gm)) {
      const sources = paths!.split(" ").slice(0, -1);
      if (flag) continue;
      for (const path of sources) expect(existsSync(join(root, path)), `${name}: COPY ${path}`).toBe(true);
    }
  }
});

/** The lines of a stage of a Dockerfile. */
const stageOf = (text: string, stage: string) =>
  text.split(/^(?=FROM )/m).find((part) => part.split("\n")[0]!.endsWith(` AS ${stage}`)) ?? "";

test("every Dockerfile builds from the manifests of all workspaces, and copies what its own one is built on", () => {
  for (const name of dockerfiles) {
    const text = read(`deploy/${name}`);
    for (const folder of workspaces)
      expect(stageOf(text, "build")).toContain(`COPY ${folder}/package.json ${folder}/\n`);
    const own = /^WORKDIR \/octavo\/(\S+)$/m.exec(text)![1]!;
    expect(text).toContain(`--workspace=${own}\n`);
    expect(text).toContain(`RUN npm run build -- --filter=./${own}\n`);
    expect(text).toContain(`COPY --from=build /octavo/${own}/dist /octavo/${own}/dist\n`);
    expect(text).toMatch(/^USER node$/m);
    if (!name.startsWith("provision")) expect(text).toMatch(/^HEALTHCHECK .*\\\n {2}CMD .*\/livez/m);
  }
});

test("the image of the reader limits its memory as the launcher does", () => {
  const text = read("deploy/reader.Dockerfile");
  const [, command = "[]"] = /^CMD (\[.*\])$/m.exec(text) ?? [];
  expect(JSON.parse(command)).toEqual(["node", ...limitsOf(reader), "dist/main.js"]);
  for (const [name, value] of Object.entries(LESS_KEPT)) expect(text).toContain(` ${name}=${value}`);
});

/** Runs a command of the project at its root. */
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

test.each(workspaces)("a build of %s compiles nothing that only tests use", (folder) => {
  const source = join(root, folder, "src/");
  const compiled = run(join(root, "node_modules/.bin/tsc"), "--listFilesOnly", "-p", folder)
    .split("\n")
    .filter((file) => file.startsWith(source))
    .map((file) => file.slice(source.length));
  expect(compiled.length).toBeGreaterThan(0);
  expect(compiled.filter(isForTests)).toEqual([]);
});

interface Installed {
  dependencies?: Record<string, Installed>;
}
const folderOf = (name: string) =>
  workspaces.find((folder) => folder.split("/").at(-1) === name.replace("@octavo/", ""))!;
const packagesIn = ({ dependencies = {} }: Installed): string[] =>
  Object.entries(dependencies).flatMap(([name, one]) => [
    ...(name.startsWith("@octavo/") ? [folderOf(name)] : []),
    ...packagesIn(one),
  ]);

test.each(dockerfiles)("the image of %s holds its own package and common ones, and no neighbour", (name) => {
  const text = read(`deploy/${name}`);
  const own = /^WORKDIR \/octavo\/(\S+)$/m.exec(text)![1]!;
  const tree: Installed = JSON.parse(
    run("npm", "ls", "--all", "--json", "--package-lock-only", "--omit=dev", `--workspace=${own}`),
  );
  const installed = [...new Set(packagesIn(tree))].sort();
  const common = ["packages/html", "packages/markdown", "packages/pdf", "packages/shared"];
  expect(installed.filter((folder) => folder !== own && !common.includes(folder))).toEqual([]);
  const copied = [...text.matchAll(/^COPY --from=build \/octavo\/(\S+)\/dist /gm)].map(
    ([, folder]) => folder,
  );
  expect(copied.sort()).toEqual(installed);
  // `npm ci` installs the packages of every workspace whose manifest it finds.
  const manifests = [...stageOf(text, "packages").matchAll(/^COPY (\S+)\/package\.json /gm)];
  expect(manifests.map(([, folder]) => folder).sort()).toEqual(installed);
});

test("docker-compose.yml builds from files that are there and waits for parts that are there", () => {
  for (const [name, { build, depends_on = {}, volumes = [] }] of Object.entries(compose.services)) {
    if (build) expect(existsSync(join(root, build.dockerfile)), name).toBe(true);
    for (const other of Object.keys(depends_on)) expect(compose.services, name).toHaveProperty(other);
    for (const volume of volumes) {
      const [source = ""] = volume.split(":");
      if (source.startsWith("./")) expect(existsSync(join(root, source)), source).toBe(true);
      else expect(compose.volumes).toHaveProperty(source);
    }
  }
});

test.each([
  ["gateway", () => import("../gateway/src/config.js").then(({ gatewayConfig }) => gatewayConfig)],
  ["reader", () => import("../reader/src/config.js").then(({ readerConfig }) => readerConfig)],
  ["orgs", () => import("../services/orgs/src/config.js").then(({ config }) => config)],
  ["content", () => import("../services/content/src/config.js").then(({ config }) => config)],
  ["sites", () => import("../services/sites/src/config.js").then(({ config }) => config)],
  ["integrations", () => import("../services/integrations/src/config.js").then(({ config }) => config)],
] as [string, () => Promise<z.ZodObject>][])(
  "docker-compose.yml gives %s an environment it accepts, and docs/operations.md names all of it",
  async (name, load) => {
    const environment = filled(compose.services[name]!.environment);
    const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value));
    const schema = await load();
    expect(schema.safeParse(given).error?.issues ?? []).toEqual([]);
    // The image sets the address to listen on; all else is handed on, or a line in .env would change nothing.
    expect(Object.keys(schema.shape).filter((variable) => !(variable in environment))).toEqual(["HOST"]);
    const docs = read("docs/operations.md");
    expect(Object.keys(schema.shape).filter((variable) => !docs.includes(`\`${variable}\``))).toEqual([]);
  },
);
