/**
 * Joins what browsers load, and what the process and its threads run, into a few files, after it was compiled: 500 modules
 * with their comments, many of them in two bytes for each character, are ten megabytes of memory more.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { joinAssets } from "@octavo/html/join-assets";
import { build } from "esbuild";

const dist = fileURLToPath(new URL("./dist/", import.meta.url));
const folder = resolve(dist, "bundle");
/** What is started, by its name in the bundle. */
const STARTED = { main: "main.js", "drawing-thread": "drawing/thread.js", "mcp-thread": "mcp/thread.js" };

/** Lets modules find what lies beside them: in the bundle they are somewhere else. */
const addresses = {
  name: "addresses",
  setup({ onLoad }) {
    onLoad({ filter: /\/dist\/.*\.js$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      if (path.includes("/node_modules/") || !text.includes("import.meta.url")) return undefined;
      const place = JSON.stringify(relative(folder, path));
      return { contents: text.replaceAll("import.meta.url", `new URL(${place}, import.meta.url).href`) };
    });
  },
};

await joinAssets(new URL("./", import.meta.url));

rmSync(folder, { recursive: true, force: true });
await build({
  entryPoints: Object.fromEntries(Object.entries(STARTED).map(([name, file]) => [name, resolve(dist, file)])),
  outdir: folder,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  charset: "ascii",
  legalComments: "linked",
  sourcemap: "linked",
  // It starts threads from files of its own.
  external: ["pino"],
  // Packages in CommonJS require modules of Node.
  banner: {
    js: `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`,
  },
  plugins: [addresses],
  logLevel: "warning",
});
for (const [name, file] of Object.entries(STARTED)) {
  const place = relative(resolve(dist, file, ".."), resolve(folder, `${name}.js`));
  writeFileSync(
    resolve(dist, file),
    `import ${JSON.stringify(place.startsWith(".") ? place : `./${place}`)};\n`,
  );
}
