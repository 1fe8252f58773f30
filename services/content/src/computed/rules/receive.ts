import { found, refuse } from "@octavo/shared/errors";
import { type Received, receiveFrom } from "../../files/receive.js";
import type { Call } from "../../trpc.js";
import * as queries from "../queries.js";
import type { Receive } from "../schema.js";

/**
 * Fetches a file that a source names, and keeps its content for a day, within which `fill` may name it. 400 when it cannot
 * be had, has another size than was announced, or is no image though it was announced as one; 413 for more bytes than
 * announced; 404 for a space that is gone, or of another organization.
 */
export async function receive({ ctx, input }: Call<typeof Receive>): Promise<Received> {
  const { spaceId, by, file } = input;
  const { name, downloadURL, size, contentType } = file;
  const organization = await queries.organizationOf(ctx, spaceId);
  found(organization === by.organization || undefined, "Space");
  const check = ({ props }: Received) => {
    if (props.size !== size) refuse("BAD_REQUEST", `File: has ${props.size} bytes, ${size} were announced`);
    // What is not an image would be shown as a broken one.
    if (isImage(contentType) && !isImage(props.contentType))
      refuse("BAD_REQUEST", `File: is ${props.contentType}, ${contentType} was announced`);
  };
  return receiveFrom(ctx, downloadURL, { name, limit: size, check });
}

const isImage = (type: string) => type.toLowerCase().startsWith("image/");
