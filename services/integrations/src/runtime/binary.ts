import { existsSync } from "node:fs";
import { createRequire } from "node:module";

/** Where the program is that runs scripts; or why there is none. */
export function findWorkerd(path: string | undefined): { path: string } | { reason: string } {
  if (path) return existsSync(path) ? { path } : { reason: `there is no ${path}` };
  try {
    return { path: (createRequire(import.meta.url)("workerd") as { default: string }).default };
  } catch {
    return { reason: `workerd is not installed for ${process.platform} ${process.arch}` };
  }
}
