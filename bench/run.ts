import { cpus, loadavg } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { collectYoungAlone } from "@octavo/shared/memory";
import { createClient } from "../tests/harness/client.js";
import { startStack } from "../tests/harness/stack.js";
import { openReference } from "./database.js";
import { measureDocuments } from "./documents.js";
import { measureEdits } from "./edits.js";
import { measureExchange } from "./exchange.js";
import { measureImports } from "./imports.js";
import { measureMerges } from "./merges.js";
import { measureNeighbours } from "./neighbours.js";
import { measurePermissions } from "./permissions.js";
import { measurePublished } from "./published.js";
import { measureReader } from "./reader.js";
import { measureReads } from "./reads.js";
import { type Line, table } from "./report.js";
import { measureScripts, measureTelling } from "./scripts.js";
import { measureSearch } from "./search.js";
import { measureStarts } from "./starts.js";
import { measureWaits } from "./waits.js";
import { measureWrites } from "./writes.js";

const usage = `npm run bench [-- --corpus <folder> --only reads,writes,published,reader,search,permissions,imports,exchange,edits,merges,documents,starts,waits,neighbours,scripts,telling]

Starts a stack of its own, measures it against a reference in the same run, prints one table, stops. Needs Linux.
--corpus  a folder with a SUMMARY.md to import, instead of a generated one; its words make the pages of reads and writes
--only    some of the measurements`;

const { values } = parseArgs({
  options: { corpus: { type: "string" }, only: { type: "string" }, help: { type: "boolean" } },
});
if (values.help) {
  process.stdout.write(`${usage}\n`);
  process.exit();
}
const wanted = values.only?.split(",") ?? [
  "starts",
  "documents",
  "waits",
  "reads",
  "writes",
  "published",
  "reader",
  "search",
  "permissions",
  "imports",
  "exchange",
  "edits",
  "merges",
  "scripts",
  "telling",
  "neighbours",
];
// The client shares the processors with what it measures.
collectYoungAlone();
const corpus = values.corpus && resolve(values.corpus);
const lines: Line[] = [];

async function part(name: string, measure: () => Promise<Line[]>) {
  if (!wanted.includes(name)) return;
  process.stderr.write(`${name} …\n`);
  lines.push(...(await measure()));
}

await part("starts", measureStarts);
await part("documents", async () => measureDocuments(corpus));
await part("waits", measureWaits);
await part("scripts", measureScripts);
if (wanted.some((name) => !["starts", "documents", "waits", "scripts"].includes(name))) {
  // One address asks for more pages than readers of one may: what is measured is not where they are refused.
  const stack = await startStack({ OCTAVO_RATE_PAGES: "1000000" });
  try {
    const call = createClient(stack);
    const reference = await openReference(stack);
    await part("reads", () => measureReads(stack, call, reference, corpus));
    await part("writes", () => measureWrites(stack, call, reference, corpus));
    await part("published", () => measurePublished(stack, call, reference, corpus));
    await part("reader", () => measureReader(stack, call));
    await part("search", () => measureSearch(stack, call, reference));
    await part("permissions", () => measurePermissions(stack));
    await part("imports", () => measureImports(stack, call, reference.client, corpus));
    await part("exchange", () => measureExchange(stack, call));
    await part("edits", () => measureEdits(call));
    await part("merges", () => measureMerges(call));
    await part("telling", () => measureTelling(stack, call));
    await part("neighbours", () => measureNeighbours(stack, call, corpus));
    await reference.client.end();
  } finally {
    await stack.stop();
  }
}
const [load] = loadavg();
process.stdout.write(
  `\n${table(lines)}\n\nNode ${process.version}, ${cpus().length} cores, load ${load!.toFixed(1)}\n`,
);
process.exit();
