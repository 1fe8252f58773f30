import { id } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { get, post, router } from "../trpc.js";
import * as rules from "./rules.js";
import {
  ContentImport,
  ContentImports,
  ImportContent,
  ImportContentResult,
  ImportIntoPage,
  List,
  One,
} from "./schema.js";

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

export const imports = router({
  list: get("/spaces/{spaceId}/imports", {
    operationId: "listContentImports",
    permission: "space.access",
    summary: "List the imports of a space by address",
  })
    .input(List)
    .output(ContentImports)
    .query(rules.list),
  get: get("/spaces/{spaceId}/imports/{importId}", {
    operationId: "getContentImport",
    permission: "space.access",
    summary: "Get the state of an import by address",
  })
    .input(One)
    .output(ContentImport)
    .query(rules.get),
});
