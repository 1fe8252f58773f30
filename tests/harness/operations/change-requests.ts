// Change requests, and comments on them and on spaces.

import {
  choice,
  flag,
  id,
  list,
  long,
  none,
  type Operation,
  object,
  paged,
  text,
  words,
} from "./operation.js";

const insertion = { operation: "insert_page", title: "New", document: { markdown: "Text" } };

const changesLimit = { limit: ["-1", "1001", "1.5", "ten"], page: ["nonsense"] };
export const changeRequests: Record<string, Operation> = {
  "GET /spaces/{spaceId}/change-requests": { ...paged, query: { status: ["closed", ""] } },
  "POST /spaces/{spaceId}/change-requests": { body: { subject: text(100) } },
  "GET /spaces/{spaceId}/change-requests/{changeRequestId}": {},
  "GET /spaces/{spaceId}/change-requests/{changeRequestId}/changes": { query: changesLimit },
  "GET /spaces/{spaceId}/revisions/{revisionId}/changes": {
    query: { ...changesLimit, metadata: words, computed: words },
  },
  "PATCH /spaces/{spaceId}/change-requests/{changeRequestId}": {
    body: { subject: text(100), status: [...choice, "merged"] },
  },
  "POST /spaces/{spaceId}/change-requests/{changeRequestId}/content": {
    query: { compat: words },
    body: {
      changes: [
        ...list({}, "x", { operation: "nonsense" }),
        [],
        Array.from({ length: 51 }, () => insertion),
        [{ ...insertion, title: long(501) }],
        [{ ...insertion, title: "" }],
        [{ ...insertion, document: undefined }],
        [{ ...insertion, document: { markdown: 1 } }],
        [{ ...insertion, document: { html: "<p>" } }],
        [{ ...insertion, at: -1 }],
        [{ ...insertion, at: 1.5 }],
        [{ ...insertion, hidden: "no" }],
        [{ ...insertion, slug: "a/b" }],
        [{ ...insertion, icon: "NO ICON" }],
        [{ ...insertion, emoji: "house" }],
        [{ ...insertion, condition: "plan =" }],
        [insertion, { operation: "update_page", title: "Without a page" }],
        [insertion, { operation: "update_page", page: "x", into: 1 }],
        [insertion, { operation: "delete_page" }],
        [insertion, { operation: "revert_page" }],
        [insertion, { operation: "revert_page", page: "x", revision: 1 }],
        [insertion, { operation: "revert_page", page: "x", block: "a" }],
        [insertion, { operation: "revert_page", page: "x", block: [] }],
        [insertion, { operation: "delete_file" }],
        [insertion, { operation: "revert_file", file: 1 }],
        [{ ...insertion, operation: "insert_reusable_content", title: undefined }],
        [{ ...insertion, operation: "insert_reusable_content", title: " " }],
        [{ operation: "insert_reusable_content", title: "Without a document" }],
        [insertion, { operation: "update_reusable_content", title: "Without an id" }],
        [insertion, { operation: "update_reusable_content", reusableContent: "x", title: long(501) }],
        [insertion, { operation: "delete_reusable_content" }],
        [insertion, { operation: "insert_files", files: [] }],
        [insertion, { operation: "insert_files", files: [{ name: "x", base64: "!" }] }],
        [insertion, { operation: "insert_files", files: [{ name: "x", url: "file:///etc/passwd" }] }],
      ],
    },
    good: { changes: [insertion] },
  },
  "GET /orgs/{organizationId}/change-requests": {
    ...paged,
    query: { status: ["closed", ""], creator: [""], contributor: [long(101)] },
  },
  "GET /spaces/{spaceId}/change-requests/{changeRequestId}/reviews": {
    ...paged,
    query: { outdated: words, format: ["html", ""] },
  },
  "POST /spaces/{spaceId}/change-requests/{changeRequestId}/reviews": {
    body: {
      status: [...choice, "commented"],
      comment: [...object, { html: "<p>" }, { markdown: long(65_537) }, { markdown: "a\0b" }],
    },
    good: { status: "approved" },
  },
  "GET /spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers": paged,
  "POST /spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers": {
    body: {
      users: [...list("", 1), ["unknown"], Array.from({ length: 51 }, () => "unknown")],
      teams: [...list("", 1), ["unknown"], Array.from({ length: 51 }, () => "unknown")],
      subject: text(100),
    },
    good: { users: [] },
  },
  "DELETE /spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers/{userId}": {},
  "GET /spaces/{spaceId}/change-requests/{changeRequestId}/contributors": paged,
  "POST /spaces/{spaceId}/change-requests/{changeRequestId}/merge": none,
  "POST /spaces/{spaceId}/change-requests/{changeRequestId}/update": none,
};

/** Comments and their replies, which are mounted twice. */
export function commentsUnder(base: string, named: Operation["named"] = {}): Record<string, Operation> {
  const document = { object: "document", data: {}, nodes: [] };
  const body = [
    1,
    null,
    "x",
    ["x"],
    {},
    { markdown: 1 },
    { markdown: "" },
    { markdown: " \n" },
    { html: "<p>" },
    { markdown: long(65_537) },
    { markdown: "a\0b" },
    { markdown: "x", document },
    { document: {} },
  ];
  const kinds = [1, "x", null, [1], [""], [long(51)], Array.from({ length: 21 }, String)];
  const reactions = { addedReactions: kinds, removedReactions: kinds };
  const good = { body: { markdown: "Text" } };
  const tableCell = [...object, {}, { record: "x" }, { record: 1, definition: "x" }];
  const formats = { format: ["html", ""] };
  const filters = {
    order: ["up", ""],
    status: ["closed", ""],
    targetPage: ["", long(101)],
    authors: ["", long(101)],
  };
  const one = `${base}/comments/{commentId}`;
  const reply = `${one}/replies/{commentReplyId}`;
  return {
    [`GET ${base}/comments`]: { ...paged, query: { ...formats, ...filters } },
    [`POST ${base}/comments`]: { body: { body, page: id, node: text(100, 1), tableCell }, good },
    [`GET ${one}`]: { named, query: formats },
    [`PUT ${one}`]: { named, body: { body, ...reactions, resolved: flag } },
    [`DELETE ${one}`]: { named },
    [`GET ${one}/replies`]: { named, ...paged, query: formats },
    [`POST ${one}/replies`]: { named, query: formats, body: { body }, good },
    [`GET ${reply}`]: { named, query: formats },
    [`PUT ${reply}`]: { named, body: { body, ...reactions } },
    [`DELETE ${reply}`]: { named },
    [`GET ${base}/commenters`]: paged,
  };
}
/** The names of those on a change request. */
export const ON_CHANGE_REQUEST = {
  commentId: "changeRequestCommentId",
  commentReplyId: "changeRequestReplyId",
} as const;
