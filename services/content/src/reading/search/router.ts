import { get, router, shown } from "../../trpc.js";
import * as rules from "./rules.js";
import {
  InOrganization,
  InSpace,
  InSpaces,
  PageResults,
  SpaceResults,
  SpaceResultsWithAncestors,
} from "./schema.js";

export const search = router({
  inSpace: get("/spaces/{spaceId}/search", {
    operationId: "searchSpaceContent",
    permission: "space.access",
    summary: "Search the pages of a space",
    reader: true,
  })
    .input(InSpace)
    .output(PageResults)
    .query(rules.inSpace),
  inOrganization: get("/orgs/{organizationId}/search", {
    operationId: "searchOrganizationContent",
    permission: "organization.view",
    summary: "Search the pages of all spaces of an organization that you can read",
  })
    .input(InOrganization)
    .output(SpaceResults)
    .query(rules.inOrganization),
  inSpaces: shown({ services: ["sites"], permission: "organization.view" })
    .input(InSpaces)
    .output(SpaceResultsWithAncestors)
    .query(rules.inSpaces),
});
