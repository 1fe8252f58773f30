import { get, post, router } from "../trpc.js";
import * as rules from "./rules.js";
import { Get, Post, Rendered } from "./schema.js";

const path = "/integrations/{integrationName}/render";
const permission = {
  none: "the place decides: who may configure there, for a block who may read the space, for an editable one who may edit it",
};

export const render = router({
  get: get(path, {
    operationId: "renderIntegrationUIWithGet",
    permission,
    summary: "Have a component of an integration rendered, by a compressed request",
    reader: true,
  })
    .input(Get)
    .output(Rendered)
    .query(rules.get),
  post: post(path, {
    status: 200,
    operationId: "renderIntegrationUIWithPost",
    permission,
    summary: "Have a component of an integration rendered",
    reader: true,
  })
    .input(Post)
    .output(Rendered)
    .mutation(rules.post),
});
