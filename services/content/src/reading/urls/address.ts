import type { Target } from "../../revisions/target.js";

/** What an address of the application names: a collection, or a version of a space and the path of a page in it. */
export type AddressTarget = { collection: string } | { target: Target; path: string[] };

const ID = "([\\w-]{1,64})";
const COLLECTION = new RegExp(`^c/${ID}/?$`);
const CHANGE_REQUEST = new RegExp(`^s/${ID}/change-requests/${ID}(?:/(.*))?$`);
const REVISION = new RegExp(`^s/${ID}/revisions/${ID}(?:/(.*))?$`);
const SPACE = new RegExp(`^s/${ID}(?:/(.*))?$`);

/**
 * Reads an address of the application, the inverse of `urls.app`; `app` is what those begin with. Undefined for all other
 * addresses. The query and the fragment decide nothing.
 */
export function placeAt(url: string, app: string): AddressTarget | undefined {
  const address = addressOf(url);
  const base = addressOf(app);
  if (!address.startsWith(base)) return undefined;
  const rest = address.slice(base.length);
  const [, collection] = COLLECTION.exec(rest) ?? [];
  if (collection !== undefined) return { collection };
  const [, proposed, changeRequestId, pageProposed] = CHANGE_REQUEST.exec(rest) ?? [];
  if (proposed !== undefined)
    return { target: { spaceId: proposed, changeRequestId }, path: segmentsOf(pageProposed) };
  const [, past, revisionId, pagePast] = REVISION.exec(rest) ?? [];
  if (past !== undefined) return { target: { spaceId: past, revisionId }, path: segmentsOf(pagePast) };
  const [, spaceId, page] = SPACE.exec(rest) ?? [];
  return spaceId === undefined ? undefined : { target: { spaceId }, path: segmentsOf(page) };
}

/** More segments than the address of a site space has. */
const MOST_FOLDERS = 32;

/** The folders that an address lies in, itself as one among them, shortest first. */
export function foldersOf(url: string): string[] {
  const { origin, pathname } = new URL(url);
  const folders = [`${origin}/`];
  for (const segment of pathname.split("/").filter(Boolean).slice(0, MOST_FOLDERS))
    folders.push(`${folders.at(-1)}${segment}/`);
  return folders;
}

/** The decoded segments of an address behind one of the folders that it lies in. */
export const pathBehind = (url: string, folder: string): string[] =>
  segmentsOf(new URL(url).pathname).slice(segmentsOf(new URL(folder).pathname).length);

const addressOf = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
};

const segmentsOf = (path = ""): string[] => path.split("/").filter(Boolean).map(decodeURIComponent);
