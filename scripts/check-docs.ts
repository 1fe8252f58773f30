/** Fails when the documents name what is not there, or leave out what should be listed; see documents.ts. */
import { fileURLToPath } from "node:url";
import { problemsOfDocuments } from "./documents.js";

const problems = problemsOfDocuments(fileURLToPath(new URL("../", import.meta.url)));
for (const line of problems) process.stderr.write(`${line}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
