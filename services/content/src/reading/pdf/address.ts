import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Ctx } from "../../trpc.js";

/** Addresses are the same for an hour, and stay good for one to two. */
const HOUR_MS = 3_600_000;

/** What a PDF holds: a revision of a space, or a page of it, with those below it or alone. */
export interface Edition {
  space: string;
  revision: string;
  page?: string;
  only: boolean;
}

type Signing = Pick<Ctx, "downloadKey" | "clock">;

/** Makes the signed, expiring address of a PDF; whoever holds it may fetch it without a token. */
export function pdfUrl(
  { urls, downloadKey, clock }: Signing & Pick<Ctx, "urls">,
  edition: Edition,
  title: string,
) {
  const expires = (Math.floor(clock().getTime() / HOUR_MS) + 2) * HOUR_MS;
  const { space } = edition;
  const claims = [edition.revision, edition.page ?? "", edition.only ? "1" : "", `${expires}`];
  const words = title.replaceAll(/[\\/\p{C}]+/gu, " ").trim();
  const name = `${[...words].slice(0, 100).join("") || "space"}.pdf`;
  const ticket = [...claims, sign(downloadKey, space, [...claims, name])].join(".");
  return urls.api`/spaces/${space}/pdf/${ticket}/${name}`;
}

/** The edition that an address names; undefined when it was not made here, was altered, or has expired. */
export function editionIn(
  { downloadKey, clock }: Signing,
  { space, ticket, name }: { space: string; ticket: string; name: string },
): Edition | undefined {
  const [revision = "", page = "", only = "", expires = "", signature = ""] = ticket.split(".");
  if (!(Number(expires) > clock().getTime())) return undefined;
  const expected = Buffer.from(sign(downloadKey, space, [revision, page, only, expires, name]));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return { space, revision, ...(page !== "" && { page }), only: only === "1" };
}

const sign = (key: string, space: string, claims: string[]) =>
  createHmac("sha256", key)
    .update(JSON.stringify(["pdf", space, ...claims]))
    .digest("base64url");

/** Counts up when PDFs of the same content look otherwise than before. */
const LOOK = 1;

/** The name under which the PDF of an edition is kept. */
export const nameOf = (edition: Edition): string =>
  createHash("sha256")
    .update(JSON.stringify([LOOK, edition.space, edition.revision, edition.page ?? "", edition.only]))
    .digest("hex");
