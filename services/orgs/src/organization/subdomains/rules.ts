// A subdomain is the hostname of an organization, seen from outside.

import type { Call } from "../../trpc.js";
import * as organizations from "../organizations/load.js";
import type { Get } from "./schema.js";

/** Returns the organization that a subdomain belongs to, to anybody; 404 when there is none. */
export async function get({ ctx, input: { subdomain } }: Call<typeof Get>) {
  const { id: organization } = await organizations.findByHostname(ctx, subdomain);
  const target = { type: "organization" as const, organization };
  return { object: "subdomain" as const, subdomain, target, isActive: true };
}
