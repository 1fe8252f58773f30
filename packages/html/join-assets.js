/**
 * Joins and minifies what browsers load. Each style sheet and script of a workspace's folder `assets`, with all that it
 * imports, becomes one file of `dist/browser`; other files are copied.
 */
import { copyFileSync, readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Writes the files that a workspace has browsers load; `workspace` is its folder. */
export async function joinAssets(workspace) {
  const [from, to] = ["assets/", "dist/browser/"].map((folder) => fileURLToPath(new URL(folder, workspace)));
  const names = readdirSync(from, { withFileTypes: true }).flatMap((file) =>
    file.isFile() ? [file.name] : [],
  );
  const joined = names.filter((name) => /\.(?:css|js)$/.test(name));
  rmSync(to, { recursive: true, force: true });
  await build({
    entryPoints: joined.map((name) => from + name),
    outdir: to,
    bundle: true,
    minify: true,
    format: "esm",
    target: "esnext",
    charset: "utf8",
    // Names of files whose addresses are known when they are sent.
    external: ["{{*"],
    logLevel: "warning",
  });
  for (const name of names) if (!joined.includes(name)) copyFileSync(from + name, to + name);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await joinAssets(new URL("./", import.meta.url));
