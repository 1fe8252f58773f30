import type { GitInfo } from "../../db/tables/spaces.js";

/** What a space shows of its synchronization; where exactly its content came from is our own business. */
export const syncView = ({ repoName, installationProvider, integration, url, updatedAt }: GitInfo) => ({
  repoName,
  installationProvider,
  integration,
  url,
  updatedAt,
});
