import { issuesOf } from "@octavo/shared/errors";
import { soundEnvironment } from "@octavo/shared/testing/environment";
import { expect, test } from "vitest";
import { config, mailOf } from "./config.js";

const env = soundEnvironment();
const mail = { SMTP_URL: "smtps://user:password@mail.example:465", MAIL_FROM: "Octavo <octavo@example.com>" };
const mistakes = (given: object) =>
  issuesOf(config.safeParse({ ...env, ...given }).error ?? { issues: [] }).map(({ path }) => path);

test("there is mail where both its variables are set, and half of it is a mistake", () => {
  expect(mailOf(config.parse(env))).toBeUndefined();
  expect(mailOf(config.parse({ ...env, ...mail }))).toEqual({ url: mail.SMTP_URL, from: mail.MAIL_FROM });
  expect(mistakes({ SMTP_URL: mail.SMTP_URL })).toEqual(["MAIL_FROM"]);
  expect(mistakes({ MAIL_FROM: mail.MAIL_FROM })).toEqual(["SMTP_URL"]);
  expect(mistakes({ SMTP_URL: mail.SMTP_URL, PORT: "x" })).toEqual(["PORT", "MAIL_FROM"]);
  expect(mistakes({ ...mail, SMTP_URL: "http://mail.example" })).toEqual(["SMTP_URL"]);
  for (const MAIL_FROM of ["nobody", "a@b.example, c@d.example", "A <a@b.example>\r\nBcc: x@y.example"])
    expect(mistakes({ ...mail, MAIL_FROM })).toEqual(["MAIL_FROM"]);
});

test("DNS servers are addresses, with or without a port", () => {
  const OCTAVO_DNS_SERVERS = "9.9.9.9, [2620:fe::9]:53,127.0.0.1:5353";
  expect(config.parse({ ...env, OCTAVO_DNS_SERVERS }).OCTAVO_DNS_SERVERS).toHaveLength(3);
  for (const wrong of ["dns.example", "9.9.9.9,nonsense", "1.2.3"])
    expect(mistakes({ OCTAVO_DNS_SERVERS: wrong })).toEqual(["OCTAVO_DNS_SERVERS"]);
});
