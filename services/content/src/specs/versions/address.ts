import { createHmac, timingSafeEqual } from "node:crypto";
import type { Ctx } from "../../trpc.js";

/** Addresses are the same for an hour, and stay good for one to two. */
const HOUR_MS = 3_600_000;

type Signing = Pick<Ctx, "downloadKey" | "clock">;

/** Makes the signed, expiring address of the document of a version; whoever holds it may fetch it without a token. */
export function documentUrl(
  { urls, downloadKey, clock }: Signing & Pick<Ctx, "urls">,
  spec: string,
  version: string,
) {
  const expires = (Math.floor(clock().getTime() / HOUR_MS) + 2) * HOUR_MS;
  const ticket = [version, expires, sign(downloadKey, spec, version, expires)].join(".");
  return urls.api`/openapi/${spec}/versions/${ticket}`;
}

/** The version that an address names; undefined when it was not made here, was altered, or has expired. */
export function versionIn({ downloadKey, clock }: Signing, spec: string, ticket: string): string | undefined {
  const [version = "", expires = "", signature = ""] = ticket.split(".");
  if (!(Number(expires) > clock().getTime())) return undefined;
  const expected = Buffer.from(sign(downloadKey, spec, version, Number(expires)));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected) ? version : undefined;
}

const sign = (key: string, ...claims: (string | number)[]) =>
  createHmac("sha256", key)
    .update(JSON.stringify(["openapi document", ...claims]))
    .digest("base64url");
