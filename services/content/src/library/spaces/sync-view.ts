import { readUrl } from "@octavo/shared/read-url";
import type { GitInfo } from "../../db/tables/spaces.js";

/** What a space shows of its synchronization; where exactly its content came from is our own business. */
export const syncView = ({ repoName, installationProvider, integration, url, updatedAt }: GitInfo) => ({
  repoName,
  installationProvider,
  integration,
  url,
  updatedAt,
});

/**
 * What visitors see of it whose site shows edit links: the address alone, without credentials, whoever named it with which.
 * Nothing of an address that is not a page of a host.
 */
export function editView({ url }: GitInfo): { url: string } | undefined {
  const plain = url === undefined ? undefined : readUrl(url);
  if (plain?.protocol !== "https:" && plain?.protocol !== "http:") return undefined;
  return { url: plain.origin + plain.pathname };
}
