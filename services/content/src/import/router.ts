import { id } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { post, router } from "../trpc.js";
import * as rules from "./rules.js";
import { ImportContent, ImportContentResult, ImportIntoPage } from "./schema.js";

type OperationIds = Record<"importContent" | "importIntoPage", string>;

/** The same import into a space or a change request: one rule each, two mounts. */
function importRoutes(base: `/${string}`, into: string, ids: OperationIds, name?: "changeRequestId") {
  // Cast: the rules take the id of a change request as one that may be there; this mount takes it, or does not.
  const here = <Input extends z.ZodObject>(input: Input) => {
    const { changeRequestId: _, ...shape } = input.shape;
    return z.object({ ...shape, ...(name && { [name]: id }) }) as unknown as Input;
  };
  return router({
    importContent: post(`${base}/import`, {
      status: 201,
      operationId: ids.importContent,
      permission: "space.edit",
      summary: `Import what lies at an address as pages of ${into}`,
    })
      .input(here(ImportContent))
      .output(ImportContentResult)
      .mutation(rules.importContent),
    importIntoPage: post(`${base}/page/{pageId}/import`, {
      status: 201,
      operationId: ids.importIntoPage,
      permission: "space.edit",
      summary: `Import what lies at an address as pages below a page of ${into}`,
    })
      .input(here(ImportIntoPage))
      .output(ImportContentResult)
      .mutation(rules.importIntoPage),
  });
}

export const spaceImport = importRoutes("/spaces/{spaceId}/content", "a space", {
  importContent: "importContent",
  importIntoPage: "importContentInPageById",
});

export const changeRequestImport = importRoutes(
  "/spaces/{spaceId}/change-requests/{changeRequestId}/content",
  "a change request",
  {
    importContent: "importContentInChangeRequest",
    importIntoPage: "importContentInChangeRequestPageById",
  },
  "changeRequestId",
);
