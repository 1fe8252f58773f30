import { readFileSync, writeFileSync } from "node:fs";
import { collectRoutes, formatRoutes } from "./collect-routes.js";
import { ROUTES_FILE } from "./routes.js";

// Writes routes.json from the routers of the services; with --check it only says whether the file is stale.

const text = formatRoutes(collectRoutes());
if (!process.argv.includes("--check")) {
  writeFileSync(ROUTES_FILE, text);
} else if (readFileSync(ROUTES_FILE, "utf8") !== text) {
  process.stderr.write("gateway/routes.json is stale: run `npm run routes`\n");
  process.exitCode = 1;
}
