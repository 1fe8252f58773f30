import { conditionProblem } from "@octavo/markdown/expression/check";
import {
  emoji,
  icon,
  id,
  listOf,
  paging,
  text,
  timestamp,
  urls,
  user,
} from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { sentDocument } from "../../documents/schema.js";
import { problemOfName } from "../../files/name.js";
import { File } from "../../pages/schema.js";

/** Most characters of the text of one page or reusable content. */
const MAX_DOCUMENT = 2 * 1024 * 1024;

const status = z.enum(["draft", "open", "archived", "merged"]);
const target = { spaceId: id, changeRequestId: id };

export const ChangeRequest = z
  .object({
    object: z.literal("change-request"),
    id: z.string(),
    number: z.number().int(),
    status,
    subject: z.string(),
    createdBy: user,
    createdAt: timestamp,
    updatedAt: timestamp,
    revision: z.string(),
    revisionInitial: z.string(),
    revisionMergedAncestor: z.string().optional(),
    revisionMerged: z.string().optional(),
    comments: z.number().int(),
    outdated: z.boolean(),
    space: z.string(),
    urls: urls("app", "location"),
  })
  .meta({ id: "ChangeRequest" });

const filters = {
  status: status.default("open"),
  creator: id.optional(),
  contributor: id.optional(),
  ...paging,
};
export const List = z.object({ spaceId: id, ...filters });
export const ListInOrganization = z.object({ organizationId: id, ...filters });
export const Listed = listOf(ChangeRequest);
export const Create = z.object({
  spaceId: id,
  subject: text(100).optional(),
  agentTaskId: z.string().optional().describe("Without effect: there are no agent tasks here."),
});
export const Get = z.object(target);
export const Update = z.object({
  ...target,
  subject: text(100).optional(),
  status: z.enum(["draft", "open", "archived"]).optional(),
});

export const Merge = z.object(target);
export const Merged = z
  .object({ revision: z.string(), result: z.enum(["merge", "conflicts"]) })
  .meta({ id: "ChangeRequestMergeResult" });
export const Updated = z
  .object({ revision: z.string(), result: z.enum(["update", "conflicts"]) })
  .meta({ id: "ChangeRequestUpdateResult" });

const document = sentDocument(MAX_DOCUMENT);
/** What can not be read would be met for nobody. */
function expressionOnly(condition: string, check: z.RefinementCtx<string>) {
  const problem = conditionProblem(condition);
  if (problem) check.addIssue({ code: "custom", message: `is no condition: ${problem}` });
}

const title = text(500, 1)
  .refine((title) => title.trim() !== "", "must not be blank")
  .refine((title) => !/[\p{Cc}\u2028\u2029]/u.test(title), "must not hold line breaks or control characters");
const pageFields = {
  title: title.optional(),
  slug: text(100, 1)
    .regex(/^[\p{L}\p{N}\p{M}._~-]+$/u, "may hold letters, digits, dots, dashes and underscores")
    .refine((slug) => slug !== "." && slug !== "..", "must not be a step in a path")
    .optional(),
  emoji: emoji.optional(),
  /** Without characters it is taken away, like an emoji. */
  icon: icon.or(z.literal("")).optional(),
  description: text(1000).optional(),
  hidden: z.boolean().optional(),
  noIndex: z.boolean().optional(),
  noRobotsIndex: z.boolean().optional(),
  condition: text(1024).superRefine(expressionOnly).optional(),
};
const at = z.number().int().min(0).optional();
const ref = text(100, 1).optional();

const InsertPage = z.object({
  operation: z.literal("insert_page"),
  ...pageFields,
  into: id.optional(),
  at,
  ref,
  document,
});
const UpdatePage = z.object({
  operation: z.literal("update_page"),
  page: id,
  ...pageFields,
  document: document.optional(),
  into: id.nullable().optional(),
  at,
});
const DeletePage = z.object({ operation: z.literal("delete_page"), page: id });
const RevertPage = z.object({
  operation: z.literal("revert_page"),
  page: id,
  revision: id.optional(),
  /** Keys of blocks at the top of the page; without them all of the page is put back. */
  block: z.array(text(100, 1)).min(1).max(1000).optional(),
});
function fileNameOnly(name: string, check: z.RefinementCtx<string>) {
  const message = problemOfName(name);
  if (message) check.addIssue({ code: "custom", message });
}
const inputFile = {
  ref,
  name: text(256, 1).superRefine(fileNameOnly),
  contentType: text(200).optional(),
};
const InsertFiles = z.object({
  operation: z.literal("insert_files"),
  files: z
    .array(
      z.union([
        z.object({ url: z.url({ protocol: /^https?$/ }).max(2048), ...inputFile }),
        z.object({ base64: z.base64(), ...inputFile }),
      ]),
    )
    .min(1)
    .max(20),
});

const DeleteFile = z.object({ operation: z.literal("delete_file"), file: id });
const RevertFile = z.object({
  operation: z.literal("revert_file"),
  file: id,
  revision: id.optional(),
});

const InsertReusableContent = z.object({
  operation: z.literal("insert_reusable_content"),
  title,
  ref,
  document,
});
const UpdateReusableContent = z.object({
  operation: z.literal("update_reusable_content"),
  reusableContent: id,
  title: title.optional(),
  document: document.optional(),
});
const DeleteReusableContent = z.object({
  operation: z.literal("delete_reusable_content"),
  reusableContent: id,
});

export const Change = z.discriminatedUnion("operation", [
  InsertPage,
  UpdatePage,
  DeletePage,
  RevertPage,
  InsertFiles,
  DeleteFile,
  RevertFile,
  InsertReusableContent,
  UpdateReusableContent,
  DeleteReusableContent,
]);
export type Change = z.output<typeof Change>;
export type InputFile = z.output<typeof InsertFiles>["files"][number];

export const Edit = z.object({
  ...target,
  /** True returns the change request alone, false what each change made. */
  compat: z.boolean().default(true),
  changes: z.array(Change).min(1).max(50),
});

const PageRef = z.object({ object: z.literal("page"), id: z.string(), urls: urls("location") });
const FileRef = z.object({ object: z.literal("file"), id: z.string(), urls: urls("location") });
const ReusableContentRef = z.object({
  object: z.literal("reusable-content"),
  id: z.string(),
  urls: urls("location"),
});
const Made = z.discriminatedUnion("object", [
  z.object({ object: z.literal("created_page"), ref: z.string().optional(), page: PageRef }),
  z.object({ object: z.literal("updated_page"), page: PageRef }),
  z.object({ object: z.literal("deleted_page"), page: z.string() }),
  z.object({ object: z.literal("updated_file"), file: FileRef }),
  z.object({ object: z.literal("deleted_file"), file: z.string() }),
  z.object({
    object: z.literal("created_reusable_content"),
    ref: z.string().optional(),
    reusableContent: ReusableContentRef,
  }),
  z.object({ object: z.literal("updated_reusable_content"), reusableContent: ReusableContentRef }),
  z.object({ object: z.literal("deleted_reusable_content"), reusableContent: z.string() }),
]);
export type Made = z.output<typeof Made>;

export const Edited = z
  .union([
    ChangeRequest,
    z.object({
      changeRequest: ChangeRequest,
      changes: z.array(Made),
      insertedFiles: z.array(File).optional(),
    }),
  ])
  .meta({ id: "ChangeRequestEditResult" });
