import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { SERVICE_NAMES } from "./config.js";
import { drawReference, listOfOperations } from "./draw-reference.js";
import { type Document, mergeDocuments } from "./merge-documents.js";
import { OWN_DOCUMENT } from "./own-document.js";

// Run by the build: writes the pages of the reference beside the modules, from the documents that the builds of the services
// wrote. Drawing them takes seconds on one thread, which no request should wait for.

const FOLDER = new URL("./docs/", import.meta.url);
const { resolve } = createRequire(import.meta.url);

const documents: Record<string, Document> = { gateway: structuredClone(OWN_DOCUMENT) };
for (const name of SERVICE_NAMES)
  documents[name] = JSON.parse(
    readFileSync(new URL(`../../services/${name}/dist/openapi.json`, import.meta.url), "utf8"),
  ) as Document;
const document = await mergeDocuments({}, documents);

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER);
for (const [id, html] of drawReference(document)) {
  if (!/^[\w-]{0,100}$/.test(id)) throw new Error(`An operation has no id that a path can hold: ${id}`);
  writeFileSync(new URL(`${id || "index"}.html`, FOLDER), html);
}
writeFileSync(new URL("operations.json", FOLDER), JSON.stringify(listOfOperations(document)));
for (const file of ["document.css", "operations.css", "try.js"])
  cpSync(resolve(`@octavo/html/assets/${file}`), new URL(file, FOLDER));
