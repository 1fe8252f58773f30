import { ANYBODY } from "@octavo/shared/rest/permission";
import { get, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { Get, Subdomain } from "./schema.js";

export const subdomains = router({
  get: get("/subdomains/{subdomain}", {
    operationId: "getSubdomain",
    permission: ANYBODY,
    summary: "Get which organization a subdomain belongs to",
  })
    .input(Get)
    .output(Subdomain)
    .query(rules.get),
});
