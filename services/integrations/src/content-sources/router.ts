import { router, service } from "../trpc.js";
import * as rules from "./rules.js";
import { Compute, ComputedDocument, ComputedRevision } from "./schema.js";

export const contentSources = router({
  /** Not public: has an integration's script compute the pages and files of a source. */
  computeRevision: service("content").input(Compute).output(ComputedRevision).mutation(rules.computeRevision),
  /** Not public: has an integration's script compute one document of a source. */
  computeDocument: service("content").input(Compute).output(ComputedDocument).mutation(rules.computeDocument),
});
