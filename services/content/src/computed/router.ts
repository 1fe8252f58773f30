import { skipOutputValidation } from "@octavo/shared/rest/skip-output-validation";
import { post, router, service } from "../trpc.js";
import * as fills from "./rules/fill.js";
import * as forgets from "./rules/forget.js";
import * as receives from "./rules/receive.js";
import * as rules from "./rules.js";
import {
  ComputeDocument,
  ComputedDocument,
  ComputedRevision,
  ComputeRevision,
  Fill,
  Filled,
  Forget,
  Receive,
  ReceivedFile,
  SpaceIds,
  SpacesOf,
  Wanted,
  WantedSources,
} from "./schema.js";

const also = "Both are required: the source may name any specification or space of the organization.";

export const computed = router({
  revision: post("/spaces/{spaceId}/content/computed/revision", {
    status: 200,
    operationId: "getComputedRevision",
    permission: ["space.access", "openAPISpec.view"],
    also,
    summary: "Compute the pages of a source",
  })
    .input(ComputeRevision)
    .output(skipOutputValidation(ComputedRevision))
    .query(rules.revision),
  document: post("/spaces/{spaceId}/content/computed/document", {
    status: 200,
    operationId: "getComputedDocument",
    permission: ["space.access", "openAPISpec.view"],
    also,
    summary: "Compute the document of one page of a source",
    query: ["schema"],
  })
    .input(ComputeDocument)
    .output(skipOutputValidation(ComputedDocument))
    .query(rules.document),
  /** Not public: what scripts are to compute for a space. */
  wanted: service("integrations").input(Wanted).output(WantedSources).query(fills.wanted),
  /** Not public: the spaces of an organization for which scripts compute pages. */
  spacesOf: service("integrations").input(SpacesOf).output(SpaceIds).query(fills.spacesOf),
  /** Not public: fetches a file that a script named. It changes no space; what `fill` does not name is collected. */
  receive: service("integrations").input(Receive).output(ReceivedFile).query(receives.receive),
  /** Not public: keeps what a script computed. */
  fill: service("integrations").input(Fill).output(Filled).mutation(fills.fill),
  /** Not public: shows nothing more of what a script computed for a space. */
  forget: service("integrations").input(Forget).mutation(forgets.forget),
});
