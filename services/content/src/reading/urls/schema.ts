import { httpUrl } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { Collection } from "../../library/collections/schema.js";
import { Space } from "../../library/spaces/schema.js";
import { PageAtPath } from "../../pages/schema.js";
import { ChangeRequest } from "../../review/change-requests/schema.js";

export const GetContent = z.object({
  url: httpUrl.refine(isReadable, "must have a path of percent-encoded UTF-8 without NUL characters"),
});

export const ContentAtUrl = z
  .union([
    z.object({ collection: Collection }),
    z.object({ space: Space, changeRequest: ChangeRequest.optional(), page: PageAtPath.optional() }),
  ])
  .meta({ id: "ContentAtUrl" });

function isReadable(url: string): boolean {
  try {
    return !decodeURIComponent(new URL(url).pathname).includes("\0");
  } catch {
    return false;
  }
}
