import type { JSONDocument } from "@octavo/markdown/document/nodes";
import { renderDocument } from "@octavo/markdown/document/render";
import { refuseAt } from "@octavo/shared/errors";
import { yielding } from "@octavo/shared/workers/yield";
import type { SentDocument } from "../../documents/document.js";
import type { Ctx } from "../../trpc.js";
import { type Format, LONGEST } from "./schema.js";

/** The source of a comment that was sent. A document that comes down to nothing is 400. */
export function bodyOf(sent: SentDocument): string {
  const source = sourceOf(sent, "body.body");
  if (source.trim() === "") refuseAt("body.body.document", "must not be empty");
  return source;
}

/** The source of a text that was sent at a place of the request. A document that comes down to too much is 400. */
export function sourceOf({ markdown, document }: SentDocument, path: string): string {
  if (!document) return markdown ?? "";
  const source = renderDocument(document);
  if (source.length > LONGEST)
    refuseAt(`${path}.document`, `is longer than ${LONGEST} characters of markdown`);
  return source;
}

/** What a comment says, in the format that was asked for. */
export type ShownBody = { markdown: string } | { document: JSONDocument };

/** What comments say, by their ids. They are read one by one, as work that may be long, with turns for others in between. */
export async function bodiesShown(
  { work }: Ctx,
  comments: { id: string; body: string }[],
  format: Format,
): Promise<Map<string, ShownBody>> {
  const bodies = new Map<string, ShownBody>();
  const giveWay = yielding();
  for (const { id, body } of comments) {
    await giveWay();
    bodies.set(
      id,
      format === "markdown" ? { markdown: body } : { document: await work.run("readComment", body) },
    );
  }
  return bodies;
}
