import { isBearer } from "@octavo/shared/bearer";
import { list, neighbour, readConfig, signingKey } from "@octavo/shared/config";
import { emailDomain } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { makeFirst, vouchFor } from "./first-organization.js";

/**
 * `npm run first-organization`: makes the first organization and its administrator, who holds OCTAVO_ADMIN_TOKEN, by a
 * call to a running orgs. Run again it finds them and changes nothing, except that it reports the domains that were added to
 * OCTAVO_EMAIL_DOMAINS.
 */
const config = readConfig(
  z.object({
    OCTAVO_ORGS_URL: neighbour,
    OCTAVO_SIGNING_KEY: signingKey,
    OCTAVO_EMAIL_DOMAINS: list.pipe(z.array(emailDomain)),
    OCTAVO_ADMIN_TOKEN: z.string().refine(isBearer, "must be 20 to 512 letters, digits or ._~+/-"),
  }),
);
const orgs = { orgsUrl: config.OCTAVO_ORGS_URL, signingKey: config.OCTAVO_SIGNING_KEY };
const { organization, created } = await makeFirst({ ...orgs, token: config.OCTAVO_ADMIN_TOKEN });
const emailDomains = config.OCTAVO_EMAIL_DOMAINS;
if (emailDomains.length > 0) await vouchFor({ ...orgs, organization, emailDomains });
process.stdout.write(`Organization ${organization}: ${created ? "made" : "there already"}\n`);
