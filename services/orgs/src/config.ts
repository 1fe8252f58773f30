import { dnsServers, list, serviceConfig } from "@octavo/shared/config";
import { readUrl } from "@octavo/shared/read-url";
import { z } from "zod";

const isAddress = (address: string) => /^https?:\/\//.test(address) && readUrl(address) !== undefined;

/** orgs stands at the bottom of the line and needs little beyond what every service reads. */
const variables = serviceConfig.extend({
  /** Addresses that sign-ins may end at, and all below them; with commas. Without them it is the application. */
  OCTAVO_SSO_RETURN: list.refine(
    (addresses) => addresses.every(isAddress),
    "must be addresses such as https://docs.example.com, with commas",
  ),
  /** Who is asked for the records that verify domains; without them the system's. */
  OCTAVO_DNS_SERVERS: dnsServers,
  /** The server that takes letters, and the address that they come from; without both none are sent. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^([^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/,
      "must be an address, or `Name <address>`",
    )
    .optional(),
});
export type Config = z.output<typeof variables>;

const whole = (name: "SMTP_URL" | "MAIL_FROM", other: "SMTP_URL" | "MAIL_FROM") => ({
  check: (given: Partial<Config>) => given[name] !== undefined || given[other] === undefined,
  problem: {
    path: [name],
    message: `is needed, for ${other} is set`,
    // Besides all other mistakes, not only when there are none.
    when: () => true,
  },
});
const [server, sender] = [whole("SMTP_URL", "MAIL_FROM"), whole("MAIL_FROM", "SMTP_URL")];

/** The environment of orgs. */
export const config = variables.refine(server.check, server.problem).refine(sender.check, sender.problem);

/** How letters are sent, where the operator set it up. */
export function mailOf({
  SMTP_URL: url,
  MAIL_FROM: from,
}: Config): { url: string; from: string } | undefined {
  return url && from ? { url, from } : undefined;
}

/** Where sign-ins may end. */
export function returnAddresses({ OCTAVO_SSO_RETURN, OCTAVO_APP_URL, OCTAVO_BASE_URL }: Config): URL[] {
  const standard = OCTAVO_APP_URL ?? `${OCTAVO_BASE_URL.replace(/\/+$/, "")}/app`;
  return (OCTAVO_SSO_RETURN.length > 0 ? OCTAVO_SSO_RETURN : [standard]).map((address) => new URL(address));
}
