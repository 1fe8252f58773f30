import { id, listOf, paging, text, urls } from "@octavo/shared/contracts/fields";
import { skipOutputValidation } from "@octavo/shared/rest/skip-output-validation";
import { z } from "zod";

const query = text(512, 1);

const Section = z.object({
  id: z.string(),
  title: z.string(),
  path: z.string(),
  body: z.string(),
  urls: urls("app"),
});
const PageResult = z
  .object({
    id: z.string(),
    title: z.string(),
    path: z.string(),
    sections: z.array(Section).optional(),
    urls: urls("app"),
  })
  .meta({ id: "SearchPageResult" });
const SpaceResult = z
  .object({ id: z.string(), title: z.string(), pages: z.array(PageResult) })
  .meta({ id: "SearchSpaceResult" });

export const InSpace = z.object({ spaceId: id, query, ...paging });
export const PageResults = skipOutputValidation(listOf(PageResult));
export const InOrganization = z.object({ organizationId: id, query, ...paging });
/** As sites asks: pages of these spaces alone, and what is above each of them. */
export const InSpaces = z.object({
  organizationId: id,
  spaces: z.array(z.string()).max(1000),
  query,
  ...paging,
});
const Ancestor = z.object({ id: z.string(), title: z.string() });
const WithAncestors = PageResult.extend({ ancestors: z.array(Ancestor) });
export const SpaceResultsWithAncestors = skipOutputValidation(
  listOf(z.object({ id: z.string(), title: z.string(), pages: z.array(WithAncestors) })),
);
export const SpaceResults = skipOutputValidation(listOf(SpaceResult));
