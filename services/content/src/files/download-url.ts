import { createHmac, timingSafeEqual } from "node:crypto";
import type { FileEntry } from "../store/version.js";
import type { Ctx } from "../trpc.js";

/** Addresses stay good for one to two hours: they are the same for an hour, so that clients can cache what they fetch. */
const HOUR_S = 3600;

/** When the signed addresses that are made now expire, in seconds. */
export const expiryOf = ({ clock }: Pick<Ctx, "clock">): number =>
  (Math.floor(clock().getTime() / 1000 / HOUR_S) + 2) * HOUR_S;

/** What a signed address lets its holder fetch. */
export interface Download {
  hash: string;
  name: string;
  contentType: string;
  size: number;
}

/** Makes the signed, expiring address of a file's content. Whoever holds the address may fetch it without a bearer. */
export const downloadOf =
  ({ urls, downloadKey, clock }: Pick<Ctx, "urls" | "downloadKey" | "clock">, { space }: { space: string }) =>
  (file: FileEntry): string => {
    const { contentType, size } = file.props;
    const expires = expiryOf({ clock });
    const claims = [file.body, contentType, String(size), String(expires)];
    const name = file.title.replaceAll("/", "_");
    const signature = sign(downloadKey, [...claims, name, space]);
    const ticket = Buffer.from(JSON.stringify([...claims, signature])).toString("base64url");
    return urls.api`/spaces/${space}/downloads/${ticket}/${name}`;
  };

/**
 * Makes the address of a file's content by its hash, which does not expire and is the same whoever asks. Whoever holds it
 * may fetch it as long as a site shows the space to everybody.
 */
export const publishedAddressOf =
  ({ urls }: Pick<Ctx, "urls">, { space }: { space: string }) =>
  ({ body, title }: FileEntry): string =>
    urls.api`/spaces/${space}/files/${body}/${title.replaceAll("/", "_")}`;

/** What a signed address says, part by part. */
interface Address {
  spaceId: string;
  ticket: string;
  fileName: string;
}

/** Reads an address again; undefined when it was not made here, was altered, or has expired. */
export function readTicket(
  key: string,
  { spaceId, ticket, fileName: name }: Address,
  now: Date,
): Download | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(ticket, "base64url").toString("utf8"));
    if (!Array.isArray(parts) || parts.length !== 5 || !parts.every((part) => typeof part === "string"))
      return;
    const [hash, contentType, size, expires, signature] = parts as [string, string, string, string, string];
    if (!same(signature, sign(key, [hash, contentType, size, expires, name, spaceId]))) return;
    if (Number(expires) * 1000 < now.getTime()) return;
    return { hash, name, contentType, size: Number(size) };
  } catch {
    return;
  }
}

/** Signs the parts of an address with the key of downloads. */
export const sign = (key: string, parts: string[]) =>
  createHmac("sha256", key).update(JSON.stringify(parts)).digest("base64url");

/** Compares two signatures in constant time. */
export function same(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
