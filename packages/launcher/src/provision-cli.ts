import { databaseAddress, readConfig } from "@octavo/shared/config";
import { z } from "zod";
import { provision } from "./provision.js";

/**
 * `npm run provision`: makes the database, the services' roles and their schemas on the PostgreSQL of DATABASE_URL, an
 * administrator's address. Run again it repairs what is there, and sets the passwords anew.
 */
const { DATABASE_URL, ...password } = readConfig(
  z.object({
    DATABASE_URL: databaseAddress,
    OCTAVO_PASSWORD_ORGS: z.string().min(8),
    OCTAVO_PASSWORD_CONTENT: z.string().min(8),
    OCTAVO_PASSWORD_SITES: z.string().min(8),
    OCTAVO_PASSWORD_INTEGRATIONS: z.string().min(8),
  }),
);
const { created } = await provision({
  adminUrl: DATABASE_URL,
  passwords: {
    orgs: password.OCTAVO_PASSWORD_ORGS,
    content: password.OCTAVO_PASSWORD_CONTENT,
    sites: password.OCTAVO_PASSWORD_SITES,
    integrations: password.OCTAVO_PASSWORD_INTEGRATIONS,
  },
});
process.stdout.write(
  `Database octavo: ${created ? "made" : "there already"}; roles and schemas are in order\n`,
);
