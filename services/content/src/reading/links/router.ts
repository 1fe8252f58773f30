import { id } from "@octavo/shared/contracts/fields";
import { skipOutputValidation } from "@octavo/shared/rest/skip-output-validation";
import type { z } from "zod";
import { get, router } from "../../trpc.js";
import * as rules from "./rules.js";
import {
  Backlinks,
  Links,
  ListChangeRequestLinks,
  ListFileBacklinks,
  ListLinks,
  ListPageBacklinks,
  ListPageLinks,
} from "./schema.js";

const space = "/spaces/{spaceId}";
const changeRequest = `${space}/change-requests/{changeRequestId}` as const;

/** On this mount the change request is part of the path. */
const inChangeRequest = <Shape extends z.ZodRawShape>(input: z.ZodObject<Shape>) =>
  input.extend({ changeRequestId: id });

export const links = router({
  list: get(`${space}/links`, {
    operationId: "listSpaceLinks",
    permission: "space.access",
    summary: "List the links on the pages of a space, and whether they work",
  })
    .input(ListLinks)
    .output(skipOutputValidation(Links))
    .query(rules.list),
  listOfPage: get(`${space}/content/page/{pageId}/links`, {
    operationId: "listPageLinksInSpace",
    permission: "space.access",
    summary: "List the links on a page",
  })
    .input(ListPageLinks)
    .output(skipOutputValidation(Links))
    .query(rules.listOfPage),
  pageBacklinks: get(`${space}/content/page/{pageId}/backlinks`, {
    operationId: "listSpacePageBacklinks",
    permission: "space.access",
    summary: "List where a page is linked from",
  })
    .input(ListPageBacklinks)
    .output(skipOutputValidation(Backlinks))
    .query(rules.pageBacklinks),
  fileBacklinks: get(`${space}/content/files/{fileId}/backlinks`, {
    operationId: "listSpaceFileBacklinks",
    permission: "space.access",
    summary: "List where a file is linked from",
  })
    .input(ListFileBacklinks)
    .output(skipOutputValidation(Backlinks))
    .query(rules.fileBacklinks),
});

export const changeRequestLinks = router({
  list: get(`${changeRequest}/links`, {
    operationId: "listChangeRequestLinks",
    permission: "space.access",
    summary: "List the links on the pages of a change request, and whether they work",
  })
    .input(ListChangeRequestLinks)
    .output(skipOutputValidation(Links))
    .query(rules.list),
  listOfPage: get(`${changeRequest}/content/page/{pageId}/links`, {
    operationId: "listPageLinksInChangeRequest",
    permission: "space.access",
    summary: "List the links on a page in a change request",
  })
    .input(inChangeRequest(ListPageLinks))
    .output(skipOutputValidation(Links))
    .query(rules.listOfPage),
  pageBacklinks: get(`${changeRequest}/content/page/{pageId}/backlinks`, {
    operationId: "listChangeRequestPageBacklinks",
    permission: "space.access",
    summary: "List where a page is linked from in a change request",
  })
    .input(inChangeRequest(ListPageBacklinks))
    .output(skipOutputValidation(Backlinks))
    .query(rules.pageBacklinks),
  fileBacklinks: get(`${changeRequest}/content/files/{fileId}/backlinks`, {
    operationId: "listChangeRequestFileBacklinks",
    permission: "space.access",
    summary: "List where a file is linked from in a change request",
  })
    .input(inChangeRequest(ListFileBacklinks))
    .output(skipOutputValidation(Backlinks))
    .query(rules.fileBacklinks),
});
