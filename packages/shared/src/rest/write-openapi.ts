import { readFileSync, writeFileSync } from "node:fs";
import type { AnyRouter } from "@trpc/server";
import { openApiDocument } from "./openapi.js";
import type { RawDeclaration } from "./routes.js";

interface Package {
  name: string;
  version: string;
}

/**
 * Writes `openapi.json`, the document of a service, beside its built modules, of which `module` is the address of one.
 * Generating it takes a large part of a second on one thread, which no request should wait for, so that the build does it.
 */
export function writeOpenApi(module: string, router: AnyRouter, rawRoutes: RawDeclaration[] = []): void {
  const manifest = readFileSync(new URL("../package.json", module), "utf8");
  const { name, version } = JSON.parse(manifest) as Package;
  const title = `Octavo ${name.split("/").at(-1)}`;
  const document = openApiDocument(router, { title, version, rawRoutes });
  writeFileSync(new URL("openapi.json", module), JSON.stringify(document));
}
