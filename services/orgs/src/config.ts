import { Resolver } from "node:dns";
import { list, serviceConfig } from "@octavo/shared/config";
import type { z } from "@octavo/shared/fields";

const isAddress = (address: string) => /^https?:\/\//.test(address) && URL.canParse(address);

function areServers(servers: string[]): boolean {
  try {
    if (servers.length > 0) new Resolver().setServers(servers);
    return true;
  } catch {
    return false;
  }
}

/** orgs stands at the bottom of the line and needs little beyond what every service reads. */
export const config = serviceConfig.extend({
  /** Addresses that sign-ins may end at, and all below them; with commas. Without them it is the application. */
  OCTAVO_SSO_RETURN: list.refine(
    (addresses) => addresses.every(isAddress),
    "must be addresses such as https://docs.example.com, with commas",
  ),
  /** Who is asked for the records that verify domains; without them the system's. */
  OCTAVO_DNS_SERVERS: list.refine(
    areServers,
    "must be addresses such as 9.9.9.9 or [2620:fe::9]:53, with commas",
  ),
});
export type Config = z.output<typeof config>;

/** Where sign-ins may end. */
export function returnAddresses({ OCTAVO_SSO_RETURN, OCTAVO_APP_URL, OCTAVO_BASE_URL }: Config): URL[] {
  const standard = OCTAVO_APP_URL ?? `${OCTAVO_BASE_URL.replace(/\/+$/, "")}/app`;
  return (OCTAVO_SSO_RETURN.length > 0 ? OCTAVO_SSO_RETURN : [standard]).map((address) => new URL(address));
}
