import { id, trusted, z } from "@octavo/shared/fields";
import { get, router } from "../trpc.js";
import * as rules from "./rules.js";
import {
  DocumentPage,
  File,
  Files,
  GetFile,
  GetPage,
  GetPageAtPath,
  GroupPage,
  ListFiles,
  ListPages,
  Page,
  Pages,
  ReadRevision,
  Revision,
} from "./schema.js";

type OperationIds = Record<"revision" | "pages" | "page" | "pageAtPath" | "files" | "file", string>;

/** The same content seen through a space, a change request or a revision: one rule each, three mounts. */
function contentRoutes(base: `/${string}`, ids: OperationIds, name?: "changeRequestId" | "revisionId") {
  // The rules take any of the three; on this mount the id that is part of the path has to be there.
  const here = <Input extends z.ZodObject>(input: Input) =>
    (name ? input.extend({ [name]: id }) : input) as unknown as Input;
  return router({
    revision: get(base, { operationId: ids.revision })
      .input(here(ReadRevision))
      .output(trusted(Revision))
      .query(rules.revision),
    pages: get(`${base}/pages`, { operationId: ids.pages })
      .input(here(ListPages))
      .output(trusted(Pages))
      .query(rules.pages),
    page: get(`${base}/page/{pageId}`, { operationId: ids.page })
      .input(here(GetPage))
      .output(trusted(Page))
      .query(rules.page),
    pageAtPath: get(`${base}/path/{pagePath*}`, { operationId: ids.pageAtPath })
      .input(here(GetPageAtPath))
      .output(trusted(z.union([DocumentPage, GroupPage])))
      .query(rules.pageAtPath),
    files: get(`${base}/files`, { operationId: ids.files })
      .input(here(ListFiles))
      .output(trusted(Files))
      .query(rules.files),
    file: get(`${base}/files/{fileId}`, { operationId: ids.file })
      .input(here(GetFile))
      .output(File)
      .query(rules.file),
  });
}

export const spaceContent = contentRoutes("/spaces/{spaceId}/content", {
  revision: "getCurrentRevision",
  pages: "listPages",
  page: "getPageById",
  pageAtPath: "getPageByPath",
  files: "listFiles",
  file: "getFileById",
});
export const changeRequestContent = contentRoutes(
  "/spaces/{spaceId}/change-requests/{changeRequestId}/content",
  {
    revision: "getRevisionOfChangeRequestById",
    pages: "listPagesInChangeRequest",
    page: "getPageInChangeRequestById",
    pageAtPath: "getPageInChangeRequestByPath",
    files: "listFilesInChangeRequestById",
    file: "getFileInChangeRequestById",
  },
  "changeRequestId",
);
export const revisionContent = contentRoutes(
  "/spaces/{spaceId}/revisions/{revisionId}",
  {
    revision: "getRevisionById",
    pages: "listPagesInRevisionById",
    page: "getPageInRevisionById",
    pageAtPath: "getPageInRevisionByPath",
    files: "listFilesInRevisionById",
    file: "getFileInRevisionById",
  },
  "revisionId",
);
