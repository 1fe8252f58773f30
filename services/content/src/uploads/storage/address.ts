import { same, sign } from "../../files/download-url.js";
import type { Ctx } from "../../trpc.js";
import type { Row } from "./queries.js";

/** An upload stays open for so long. */
export const OPEN_MS = 3_600_000;

/** Makes the signed address that the bytes of an upload are sent to. Whoever holds it needs no bearer. */
export const uploadAddress = ({ urls, downloadKey }: Pick<Ctx, "urls" | "downloadKey">, row: Row): string =>
  urls.api`/orgs/${row.organization}/storage/uploads/${row.id}/${signed(downloadKey, row.organization, row.id)}`;

/** Makes the address by its content at which an upload is served, to everybody and for good. */
export const storedFileAddress = ({ urls }: Pick<Ctx, "urls">, row: Row): string =>
  urls.api`/orgs/${row.organization}/storage/files/${row.content!}/${row.name}`;

/** Whether an address to upload to was made here. */
export const isSigned = (
  { downloadKey }: Pick<Ctx, "downloadKey">,
  organization: string,
  key: string,
  signature: string,
): boolean => same(signature, signed(downloadKey, organization, key));

/**
 * The upload that an address was made for, and whether it was made here; undefined for an address of any other form.
 */
export function uploadAt(
  { urls, downloadKey }: Pick<Ctx, "urls" | "downloadKey">,
  url: string,
): { organization: string; key: string; isSigned: boolean } | undefined {
  const base = urls.api`/orgs/`;
  const rest = url.startsWith(base) ? url.slice(base.length) : "";
  const [, organization, key, signature] =
    /^([\w-]+)\/storage\/uploads\/([\w-]+)\/([\w-]+)$/.exec(rest) ?? [];
  if (organization === undefined) return undefined;
  return { organization, key: key!, isSigned: isSigned({ downloadKey }, organization, key!, signature!) };
}

const signed = (secret: string, organization: string, key: string) =>
  sign(secret, ["upload", organization, key]);
