import { z } from "zod";

/** `pending` until its configuration has everything that is required. */
export const installationStatus = z.enum(["active", "pending", "paused"]);
export type InstallationStatus = z.output<typeof installationStatus>;
