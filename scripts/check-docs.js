/**
 * Fails when a document names a path of this project that is not there. Paths are what stands in back-quotes or is linked
 * to and begins with a folder or file of the root; in the tree of docs/map.md, every line.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const inRoot = new Set(readdirSync(root));
const documents = [
  "README.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

const missing = documents.flatMap((document) => {
  const text = readFileSync(join(root, document), "utf8");
  const named = [...quoted(text), ...linked(text, document), ...drawn(text)];
  return [...new Set(named)]
    .filter((path) => !existsSync(join(root, path)))
    .map((path) => `${document} names ${path}, which does not exist`);
});
for (const line of missing) process.stderr.write(`${line}\n`);
process.exitCode = missing.length > 0 ? 1 : 0;

/** `gateway/routes.json`, `services/content`, `turbo.json`; not `services/<name>`, nor what only looks like a path. */
function quoted(text) {
  return [...text.matchAll(/`([\w.@-]+(?:\/[\w.@-]+)*)\/?`/g)]
    .map(([, path]) => path)
    .filter(
      (path) =>
        inRoot.has(path.split("/")[0]) || /^(packages|services|docs|deploy|tests|bench|scripts)\//.test(path),
    )
    .filter((path) => !/^(node_modules|\.env|\.octavo)/.test(path));
}

function linked(text, document) {
  return [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, path]) =>
    relative(root, join(root, dirname(document), path)),
  );
}

/** The lines of a tree: two blanks of indentation a level, a name, then at least two blanks and what it is. */
function drawn(text) {
  const [, tree = ""] = /```tree\n(.*?)```/s.exec(text) ?? [];
  const parents = [];
  return tree
    .split("\n")
    .filter(Boolean)
    .flatMap((line) => {
      const [, indent, names] = /^( *)(.*?)(?: {2,}.*)?$/.exec(line);
      const level = indent.length / 2;
      parents.length = level;
      const paths = names.split(" ").map((name) => [...parents, name.replace(/\/$/, "")].join("/"));
      parents[level] = names.replace(/\/$/, "");
      return paths;
    });
}
