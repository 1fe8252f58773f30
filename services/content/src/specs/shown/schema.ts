import { id } from "@octavo/shared/contracts/fields";
import { z } from "zod";

export const OfPage = z.object({ spaceId: id, revisionId: id, pageId: id });

const part = z.record(z.string(), z.unknown());
/** As the block of the page names it: a specification, or the file of the space that holds it. */
const holder = { spec: z.string().optional(), file: id.optional() };
/** What is referred to, by the references. */
const references = z.record(z.string(), part);

const Operation = z.object({
  ...holder,
  path: z.string(),
  method: z.string(),
  servers: z.array(z.string()),
  operation: part,
  references,
});

const Webhook = z.object({ ...holder, name: z.string(), method: z.string(), operation: part, references });

/** The schemas that are named, by their references, with those that they refer to. */
const Schemas = z.object({ ...holder, references });

export const OperationsOfPage = z.object({
  items: z.array(Operation),
  webhooks: z.array(Webhook).optional(),
  schemas: z.array(Schemas).optional(),
});
export type OperationsOfPage = z.output<typeof OperationsOfPage>;
