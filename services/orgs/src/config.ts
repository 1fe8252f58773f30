import { serviceConfig } from "@octavo/shared/config";
import { z } from "@octavo/shared/fields";

const isAddress = (address: string) => /^https?:\/\//.test(address) && URL.canParse(address);

/** orgs stands at the bottom of the line and needs little beyond what every service reads. */
export const config = serviceConfig.extend({
  /** Addresses that sign-ins may end at, and all below them; with commas. Without them it is the application. */
  OCTAVO_SSO_RETURN: z
    .string()
    .optional()
    .transform((list) =>
      (list ?? "")
        .split(",")
        .map((address) => address.trim())
        .filter(Boolean),
    )
    .refine(
      (list) => list.every(isAddress),
      "must be addresses such as https://docs.example.com, with commas",
    ),
});
export type Config = z.output<typeof config>;

/** Where sign-ins may end. */
export function returnAddresses({ OCTAVO_SSO_RETURN, OCTAVO_APP_URL, OCTAVO_BASE_URL }: Config): URL[] {
  const standard = OCTAVO_APP_URL ?? `${OCTAVO_BASE_URL.replace(/\/+$/, "")}/app`;
  return (OCTAVO_SSO_RETURN.length > 0 ? OCTAVO_SSO_RETURN : [standard]).map((address) => new URL(address));
}
