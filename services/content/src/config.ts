import { neighbour, readConfig, serviceConfig } from "@octavo/shared/config";
import { z } from "zod";

export const VERSION = "0.1.0";

/** The environment of the content service; all mistakes are reported at once. */
export const config = () =>
  readConfig(
    serviceConfig.extend({
      /** Where files and clones of repositories lie. */
      OCTAVO_DATA_DIR: z.string().min(1),
      /** orgs, which content asks who belongs where. */
      OCTAVO_ORGS_URL: neighbour,
    }),
  );
export type Config = ReturnType<typeof config>;
