import { noContent } from "@octavo/shared/contracts/fields";
import { removal } from "@octavo/shared/errors";
import { del, get, post, router } from "../trpc.js";
import * as rules from "./rules.js";
import { EndGitSync, ExportGit, GitInfo, ImportGit, ReadGitInfo } from "./schema.js";

export const git = router({
  importRepository: post("/spaces/{spaceId}/git/import", {
    status: 204,
    operationId: "importGitRepository",
    permission: "space.triggerGitSync",
    summary: "Import a git repository as the content of a space",
    scope: "space:git:sync",
  })
    .input(ImportGit)
    .output(noContent)
    .mutation(rules.importRepository),
  exportRepository: post("/spaces/{spaceId}/git/export", {
    status: 204,
    operationId: "exportToGitRepository",
    permission: "space.triggerGitSync",
    summary: "Export the content of a space to a git repository",
    scope: "space:git:sync",
  })
    .input(ExportGit)
    .output(noContent)
    .mutation(rules.exportRepository),
  info: get("/spaces/{spaceId}/git/info", {
    operationId: "getSpaceGitInfo",
    permission: "space.access",
    summary: "Get the git repository of a space, and how its latest import or export went",
    scope: "space:git:sync",
  })
    .input(ReadGitInfo)
    .output(GitInfo)
    .query(rules.info),
  removeLegacyInstallation: del("/spaces/{spaceId}/git/legacy-installation", {
    status: 204,
    operationId: "deleteLegacyGitInstallation",
    permission: "space.triggerGitSync",
    summary: "End the synchronization of a space with git",
  })
    .input(EndGitSync)
    .output(noContent)
    .mutation(removal(rules.removeLegacyInstallation)),
});
