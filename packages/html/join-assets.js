import { copyFileSync, readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * Joins and minifies what browsers load: each style sheet and script in the folder `assets` of a workspace, with all that it
 * imports, becomes one file of its `dist/browser`. Other files are copied.
 */
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
    // Placeholders for files whose addresses hold hashes, which are not known yet.
    external: ["{{*"],
    logLevel: "warning",
  });
  for (const name of names) if (!joined.includes(name)) copyFileSync(from + name, to + name);
}
