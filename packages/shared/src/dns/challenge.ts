import type { TxtLookup } from "./lookup.js";

/** The TXT record by which the DNS says to whom a name belongs. */
export interface TxtRecord {
  type: "TXT";
  name: string;
  value: string;
}

/** The record that says that a name belongs to the organization or site of this id. */
export const ownershipRecord = (name: string, owner: string): TxtRecord => ({
  type: "TXT",
  name: `_octavo.${name}`,
  value: `octavo-verification=${owner}`,
});

/** Why a record does not verify: a machine-readable code, and a sentence that states what was found. */
export interface MissingRecord {
  reason: "record_not_found" | "record_mismatch" | "dns_failed";
  found: string;
}

const MAX_LISTED = 5;
const MAX_VALUE_LENGTH = 100;

/** Returns what is wrong with what the DNS holds; undefined when one of the values is the one that is wanted. */
export async function missingRecord(
  lookup: TxtLookup,
  { name, value }: TxtRecord,
): Promise<MissingRecord | undefined> {
  const response = await lookup(name);
  if ("failure" in response)
    return { reason: "dns_failed", found: `the look-up failed (${response.failure})` };
  const values = response.values.map((one) => one.trim());
  if (values.includes(value)) return undefined;
  if (values.length === 0) return { reason: "record_not_found", found: "no TXT record was found" };
  const listed = values.slice(0, MAX_LISTED).map((one) => JSON.stringify(one.slice(0, MAX_VALUE_LENGTH)));
  const more = values.length > MAX_LISTED ? ` and ${values.length - MAX_LISTED} more` : "";
  return { reason: "record_mismatch", found: `found was ${listed.join(", ")}${more}` };
}
