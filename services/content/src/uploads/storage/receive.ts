import { found, refuse } from "@octavo/shared/errors";
import type { RawRoute } from "@octavo/shared/rest/handler";
import type { RawDeclaration } from "@octavo/shared/rest/routes";
import type { FileProps } from "../../db/tables/entries.js";
import { receive } from "../../files/receive.js";
import type { Ctx } from "../../trpc.js";
import { isSigned } from "./address.js";
import * as queries from "./queries.js";
import { MOST_IMPORTED } from "./schema.js";

export const RECEIVE = {
  method: "PUT",
  path: "/orgs/{organizationId}/storage/uploads/{storageKey}/{signature}",
  name: "storage.receive",
  anyType: true,
  maxBody: MOST_IMPORTED,
  openapi: {
    operationId: "uploadToStorage",
    summary: "Send the bytes of a file to the signed address of its upload",
    status: 204,
    body: { type: "*/*" },
  },
} satisfies RawDeclaration;

/**
 * Receives the bytes of an upload. They have the size and the type that were announced, or are 400; 404 for an address
 * that was altered or has expired, 409 when other bytes came in before, 413 beyond the announced size.
 */
export const receiveRoute = (context: () => Ctx): RawRoute => ({
  ...RECEIVE,
  handle: async (req, res, { organizationId, storageKey, signature }) => {
    const ctx = context();
    const [organization, key] = [organizationId!, storageKey!];
    const known = isSigned(ctx, organization, key, signature!)
      ? await queries.findOpen(ctx, organization, key)
      : undefined;
    const { name, size, content_type: type, content } = found(known, "Upload");
    if (Number(req.headers["content-length"] ?? 0) > size)
      refuse("PAYLOAD_TOO_LARGE", `Body: is larger than the ${size} bytes that were announced`);
    // What is refused is not stored, or an address would take any number of files.
    const check = ({ hash, props }: { hash: string; props: FileProps }) => {
      if (props.size !== size) refuse("BAD_REQUEST", `Body: has ${props.size} bytes, ${size} were announced`);
      if (!isOfType(props.contentType, type))
        refuse("BAD_REQUEST", `Body: is ${props.contentType}, ${type} was announced`);
      if (content !== null && content !== hash) refuseOther();
    };
    const { hash } = await receive(ctx, req, { name, limit: size, check });
    if (!(await queries.complete(ctx, key, hash))) refuseOther();
    res.writeHead(204).end();
  },
});

const isArchive = (type: string) => /[/.](?:zip|wordprocessingml\.document)$/.test(type);
const isText = (type: string) => type.startsWith("text/");

/** Whether bytes are what was announced, as far as they tell: a document is an archive, and any text may be markdown. */
const isOfType = (found: string, announced: string): boolean =>
  found === announced || (isArchive(found) && isArchive(announced)) || (isText(found) && isText(announced));

const refuseOther = (): never => refuse("CONFLICT", "Upload: other bytes came in before");
