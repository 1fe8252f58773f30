import { found } from "@octavo/shared/errors";
import { levelOn } from "../installations/access.js";
import { allow } from "../permissions.js";
import * as installations from "../store/installations.js";
import type { Ctx } from "../trpc.js";

export interface Installed {
  integrationName: string;
  installationId: string;
}

/** Loads an installation for who may see it at all; 404 to all others. */
export async function loadInstallation(ctx: Ctx, { integrationName, installationId }: Installed) {
  const row = found(await installations.find(ctx, integrationName, installationId), "Installation");
  allow(levelOn(ctx, row), "installation.view", "Installation");
  return row;
}
