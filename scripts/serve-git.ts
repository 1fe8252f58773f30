import { resolve } from "node:path";
import { serveRepository } from "@octavo/shared/testing/git-server";

/**
 * `npm run serve-git -- <folder>`: serves a copy of a folder as a git repository over HTTP, on this machine alone, for
 * imports where no git server is at hand. Ctrl-C ends it.
 */
const port = 4180;
const folder = process.argv[2];
if (!folder) {
  process.stderr.write("npm run serve-git -- <folder>\n");
  process.exit(1);
}
const repository = await serveRepository(resolve(folder), port);
process.stdout.write(`Serving ${folder} as ${repository.url}, branch main\n`);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => repository.close().then(() => process.exit()));
}
