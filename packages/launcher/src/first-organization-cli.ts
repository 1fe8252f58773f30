import { isBearer } from "@octavo/shared/bearer";
import { neighbour, readConfig } from "@octavo/shared/config";
import { z } from "@octavo/shared/fields";
import { makeFirst } from "./first-organization.js";

/**
 * `npm run first-organization`: makes the first organization and its administrator, who holds OCTAVO_ADMIN_TOKEN, by a
 * call to a running orgs. Run again it finds them and changes nothing.
 */
const config = readConfig(
  z.object({
    OCTAVO_ORGS_URL: neighbour,
    OCTAVO_SIGNING_KEY: z.string().min(2),
    OCTAVO_ADMIN_TOKEN: z.string().refine(isBearer, "must be 20 to 512 letters, digits or ._~+/-"),
  }),
);
const { organization, created } = await makeFirst({
  orgsUrl: config.OCTAVO_ORGS_URL,
  signingKey: JSON.parse(config.OCTAVO_SIGNING_KEY),
  token: config.OCTAVO_ADMIN_TOKEN,
});
process.stdout.write(`Organization ${organization}: ${created ? "made" : "there already"}\n`);
