import { skipOutputValidation } from "@octavo/shared/rest/skip-output-validation";
import { ANYBODY } from "@octavo/shared/trpc";
import { get, post, router, shown } from "../trpc.js";
import * as rules from "./rules.js";
import { FoundContentLookup, GetPublished, PublishedSiteContentLookup, ResolvePublished } from "./schema.js";

export const urls = router({
  getPublished: get("/urls/published", {
    operationId: "getPublishedContentByUrl",
    permission: ANYBODY,
    summary: "Find what a published site shows at an address, by a request whose address names it",
    deprecated: { since: "2026-11-23" },
  })
    .input(GetPublished)
    .output(skipOutputValidation(PublishedSiteContentLookup))
    .query(rules.getPublished),
  resolvePublished: post("/urls/published", {
    status: 200,
    operationId: "resolvePublishedContentByUrl",
    permission: ANYBODY,
    summary: "Find what a published site shows at an address to a visitor, with a token to read it",
  })
    .input(ResolvePublished)
    .output(skipOutputValidation(PublishedSiteContentLookup))
    .query(rules.resolvePublished),
  /** For the reader, which nobody has given a token. */
  find: shown({ services: [], permission: ANYBODY })
    .input(ResolvePublished)
    .output(skipOutputValidation(FoundContentLookup))
    .query(rules.find),
});
