import { serviceClient } from "@octavo/shared/client";
import type { TRPCClient } from "@trpc/client";
import type { ContentRouter } from "./router.js";

export type { ContentRouter };

export type ContentClient = TRPCClient<ContentRouter>;

/** A typed client of content: `await content.spaces.lookup.query({ ids })`. */
export function contentClient(options: Parameters<typeof serviceClient>[0]): ContentClient {
  return serviceClient<ContentRouter>(options);
}
