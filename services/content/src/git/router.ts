import { noContent } from "@octavo/shared/contracts/fields";
import { get, post, router } from "../trpc.js";
import * as rules from "./rules.js";
import { GitInfo, ImportGit, ReadGitInfo } from "./schema.js";

export const git = router({
  importRepository: post("/spaces/{spaceId}/git/import", {
    status: 204,
    operationId: "importGitRepository",
    permission: "space.triggerGitSync",
    summary: "Import a git repository as the content of a space",
  })
    .input(ImportGit)
    .output(noContent)
    .mutation(rules.importRepository),
  info: get("/spaces/{spaceId}/git/info", {
    operationId: "getSpaceGitInfo",
    permission: "space.access",
    summary: "Get the git repository of a space, and how its latest import went",
  })
    .input(ReadGitInfo)
    .output(GitInfo)
    .query(rules.info),
});
