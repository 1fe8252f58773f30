import { onConstraint, refuse } from "@octavo/shared/errors";
import type { Settings } from "./schema.js";

/** Returns the columns of the settings that are there; `null` empties one, absence leaves it. */
export function columnsOf({ defaultContent, emailDomains, ...input }: Settings) {
  const changes = {
    title: input.title,
    hostname: input.hostname,
    email_domains: emailDomains && [...new Set(emailDomains)],
    default_role: input.defaultRole,
    default_site: defaultContent === null ? null : defaultContent?.site,
    logo_url: input.logo,
    sso: input.sso,
    ai: input.ai,
    invite_links: input.inviteLinks,
  };
  return Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  ) as typeof changes;
}

/** Runs a write of settings; 409 when another organization has the hostname. */
export async function refuseTaken(write: () => Promise<unknown>) {
  try {
    await write();
  } catch (error) {
    onConstraint(error, "organization_hostname", () =>
      refuse("CONFLICT", "Hostname: another organization has it", { reason: "hostname_taken" }),
    );
    throw error;
  }
}
