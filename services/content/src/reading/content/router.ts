import { id } from "@octavo/shared/contracts/fields";
import { skipOutputValidation } from "@octavo/shared/rest/skip-output-validation";
import { z } from "zod";
import { JSONDocument } from "../../documents/document-schema.js";
import {
  File,
  Files,
  GetFile,
  GetPage,
  GetPageAtPath,
  GetPageDocument,
  GetReusableContent,
  GetReusableContentDocument,
  ListFiles,
  ListPages,
  Page,
  PageAtPath,
  Pages,
  ReadRevision,
  ReusableContent,
  Revision,
} from "../../pages/schema.js";
import { get, router } from "../../trpc.js";
import * as documents from "./rules/documents.js";
import * as whole from "./rules/whole.js";
import * as rules from "./rules.js";

type Operations = "revision" | "pages" | "page" | "pageDocument" | "pageAtPath" | "files" | "file";
type OperationIds = Record<Operations | "reusableContent" | "reusableContentDocument", string>;

/** Through what the content is seen, as summaries say it. */
type Seen = "a space" | "a change request" | "a revision";

/** With it integrations read content. */
const scope = "space:content:read";

/** The same content seen through a space, a change request or a revision: one rule each, three mounts. */
function contentRoutes(
  base: `/${string}`,
  seen: Seen,
  ids: OperationIds,
  name?: "changeRequestId" | "revisionId",
) {
  // The rules take any of the three; this mount takes the id that is part of its path, and no other.
  // Cast: the rules take the ids as ones that may be there, so they take all three forms.
  const here = <Input extends z.ZodObject>(input: Input) => {
    const { changeRequestId: _, revisionId: __, ...shape } = input.shape;
    return z.object({ ...shape, ...(name && { [name]: id }) }) as unknown as Input;
  };
  // What is not the primary content is work on it, which no visitor sees.
  const viewed =
    name === undefined
      ? { permission: "space.view" as const, also: "Everybody may while the space is public." }
      : { permission: "space.access" as const };
  // What a change request holds is not published.
  const reader = name !== "changeRequestId" || undefined;
  return router({
    revision: get(base, {
      operationId: ids.revision,
      permission: "space.access",
      summary: `Get the content of ${seen}: its pages, files and reusable contents`,
      scope,
      reader,
    })
      .input(here(ReadRevision))
      .output(skipOutputValidation(Revision))
      .query(whole.revision),
    pages: get(`${base}/pages`, {
      operationId: ids.pages,
      ...viewed,
      summary: `List the pages of ${seen}, as a tree`,
      scope,
      reader,
    })
      .input(here(ListPages))
      .output(skipOutputValidation(Pages))
      .query(whole.pages),
    page: get(`${base}/page/{pageId}`, {
      operationId: ids.page,
      ...viewed,
      summary: `Get a page of ${seen} by its id`,
      scope,
      reader,
    })
      .input(here(GetPage))
      .output(skipOutputValidation(Page))
      .query(rules.page),
    pageDocument: get(`${base}/page/{pageId}/document`, {
      operationId: ids.pageDocument,
      ...viewed,
      summary: `Get the document of a page of ${seen}`,
      scope,
      reader,
    })
      .input(here(GetPageDocument))
      .output(skipOutputValidation(JSONDocument))
      .query(documents.pageDocument),
    pageAtPath: get(`${base}/path/{pagePath*}`, {
      operationId: ids.pageAtPath,
      ...viewed,
      summary: `Get a page of ${seen} by its path`,
      scope,
      reader,
    })
      .input(here(GetPageAtPath))
      .output(skipOutputValidation(PageAtPath))
      .query(rules.pageAtPath),
    files: get(`${base}/files`, {
      operationId: ids.files,
      permission: "space.access",
      summary: `List the files of ${seen}`,
      scope,
      reader,
    })
      .input(here(ListFiles))
      .output(skipOutputValidation(Files))
      .query(rules.files),
    file: get(`${base}/files/{fileId}`, {
      operationId: ids.file,
      ...viewed,
      summary: `Get a file of ${seen}`,
      scope,
      reader,
    })
      .input(here(GetFile))
      .output(File)
      .query(rules.file),
    reusableContent: get(`${base}/reusable-contents/{reusableContentId}`, {
      operationId: ids.reusableContent,
      ...viewed,
      summary: `Get a reusable content of ${seen}`,
      scope,
      reader,
    })
      .input(here(GetReusableContent))
      .output(ReusableContent)
      .query(documents.reusableContent),
    reusableContentDocument: get(`${base}/reusable-contents/{reusableContentId}/document`, {
      operationId: ids.reusableContentDocument,
      ...viewed,
      summary: `Get the document of a reusable content of ${seen}`,
      scope,
      reader,
    })
      .input(here(GetReusableContentDocument))
      .output(skipOutputValidation(JSONDocument))
      .query(documents.reusableContentDocument),
  });
}

export const spaceContent = contentRoutes("/spaces/{spaceId}/content", "a space", {
  revision: "getCurrentRevision",
  pages: "listPages",
  page: "getPageById",
  pageDocument: "getPageDocumentById",
  pageAtPath: "getPageByPath",
  files: "listFiles",
  file: "getFileById",
  reusableContent: "getReusableContentById",
  reusableContentDocument: "getReusableContentDocumentById",
});
export const changeRequestContent = contentRoutes(
  "/spaces/{spaceId}/change-requests/{changeRequestId}/content",
  "a change request",
  {
    revision: "getRevisionOfChangeRequestById",
    pages: "listPagesInChangeRequest",
    page: "getPageInChangeRequestById",
    pageDocument: "getPageDocumentInChangeRequestById",
    pageAtPath: "getPageInChangeRequestByPath",
    files: "listFilesInChangeRequestById",
    file: "getFileInChangeRequestById",
    reusableContent: "getReusableContentInChangeRequestById",
    reusableContentDocument: "getReusableContentDocumentInChangeRequestById",
  },
  "changeRequestId",
);
export const revisionContent = contentRoutes(
  "/spaces/{spaceId}/revisions/{revisionId}",
  "a revision",
  {
    revision: "getRevisionById",
    pages: "listPagesInRevisionById",
    page: "getPageInRevisionById",
    pageDocument: "getPageDocumentInRevisionById",
    pageAtPath: "getPageInRevisionByPath",
    files: "listFilesInRevisionById",
    file: "getFileInRevisionById",
    reusableContent: "getReusableContentInRevisionById",
    reusableContentDocument: "getReusableContentDocumentInRevisionById",
  },
  "revisionId",
);
