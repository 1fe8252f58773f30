import { noContent } from "@octavo/shared/contracts/fields";
import { removal } from "@octavo/shared/errors";
import { del, get, put, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { ReadSync, Sync, UpdateSync } from "./schema.js";

export const gitSync = router({
  update: put("/spaces/{spaceId}/git/sync", {
    operationId: "updateGitSync",
    permission: "space.triggerGitSync",
    summary: "Keep a space in step with a branch of a git repository",
  })
    .input(UpdateSync)
    .output(Sync)
    .mutation(rules.update),
  get: get("/spaces/{spaceId}/git/sync", {
    operationId: "getGitSync",
    permission: "space.triggerGitSync",
    summary: "Get with which branch a space is kept in step",
  })
    .input(ReadSync)
    .output(Sync)
    .query(rules.get),
  remove: del("/spaces/{spaceId}/git/sync", {
    status: 204,
    operationId: "removeGitSync",
    permission: "space.triggerGitSync",
    summary: "Keep a space in step with a git repository no longer",
  })
    .input(ReadSync)
    .output(noContent)
    .mutation(removal(rules.remove)),
});
