import type { TxtLookup } from "../../network/dns.js";

/** The TXT record by which the DNS says that a domain is an organization's. */
export const recordOf = (organization: string, domain: string) => ({
  type: "TXT" as const,
  name: `_octavo.${domain}`,
  value: `octavo-verification=${organization}`,
});

/** Why a record does not verify: a machine word, and a sentence that tells what was found. */
interface Miss {
  reason: "record_not_found" | "record_mismatch" | "dns_failed";
  found: string;
}

const MOST_TOLD = 5;
const LONGEST_TOLD = 100;

/** What is wrong with what the DNS holds; undefined when one of the values is the one that is wanted. */
export async function missing(
  lookup: TxtLookup,
  { name, value }: ReturnType<typeof recordOf>,
): Promise<Miss | undefined> {
  const answer = await lookup(name);
  if ("failure" in answer) return { reason: "dns_failed", found: `the look-up failed (${answer.failure})` };
  const values = answer.values.map((one) => one.trim());
  if (values.includes(value)) return undefined;
  if (values.length === 0) return { reason: "record_not_found", found: "no TXT record was found" };
  const told = values.slice(0, MOST_TOLD).map((one) => JSON.stringify(one.slice(0, LONGEST_TOLD)));
  const more = values.length > MOST_TOLD ? ` and ${values.length - MOST_TOLD} more` : "";
  return { reason: "record_mismatch", found: `found was ${told.join(", ")}${more}` };
}
