// Files that are uploaded for an organization, outside of any space. First a place for the file is asked for, then its
// bytes are sent there, then a font names its key.

import { transact } from "@octavo/shared/database/transact";
import { refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { auditUpload } from "../../audit.js";
import { allowIn } from "../../permissions.js";
import type { Call } from "../../trpc.js";
import { OPEN_MS, storedFileAddress, uploadAddress } from "./address.js";
import * as queries from "./queries.js";
import type { Take, Upload } from "./schema.js";

/** Uploads of one organization, at most, begun or done. */
const MOST = 1000;
/** Bytes of them together, as they were announced. */
const MOST_BYTES = 2 * 1024 ** 3;

/**
 * Returns a signed address that takes the bytes of a file for an hour, and the key of the upload; 403 for who may not
 * create in the organization, 404 to strangers, 409 when the organization has as many uploads as there can be, or no
 * room for one of this size.
 */
export async function upload({ ctx, input }: Call<typeof Upload>) {
  const { organizationId: organization, kind, file } = input;
  allowIn(ctx, organization, "storage.upload");
  return transact(ctx, async (ctx) => {
    await queries.lockUploads(ctx, organization);
    const { count, bytes } = await queries.held(ctx, organization);
    if (count >= MOST)
      refuse("CONFLICT", `Organization: has ${MOST} uploads, which is as many as there can be`);
    if (bytes + file.size > MOST_BYTES)
      refuse(
        "CONFLICT",
        `Organization: has ${bytes} of ${MOST_BYTES} bytes of uploads, ${file.size} do not fit`,
        {
          reason: "storage_full",
        },
      );
    const now = ctx.clock();
    const row = await queries.insert(ctx, {
      id: newId("upload"),
      organization,
      kind,
      name: file.name,
      content_type: file.type,
      size: file.size,
      created_at: now,
      expires_at: new Date(now.getTime() + OPEN_MS),
    });
    await auditUpload(ctx, "storage-upload.create", row, { kind, ...file });
    return { object: "storage-signed-url" as const, url: uploadAddress(ctx, row), key: row.id };
  });
}

/**
 * Keeps uploads for good, since a font is going to name them, and returns where they are served. Keys of uploads that
 * never came in, and of other organizations, are left out. 403 for who may not create, 404 to strangers.
 */
export async function take({ ctx, input }: Call<typeof Take>) {
  const { organizationId: organization, keys } = input;
  allowIn(ctx, organization, "storage.upload");
  const rows = await queries.take(ctx, { organization, kind: "customization_font", keys });
  return rows.map((row) => ({
    key: row.id,
    url: storedFileAddress(ctx, row),
    format: row.content_type === "font/woff2" ? ("woff2" as const) : ("woff" as const),
  }));
}
