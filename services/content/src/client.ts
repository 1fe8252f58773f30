import { serviceClient } from "@octavo/shared/client";
import type { TRPCClient } from "@trpc/client";
import type { ContentRouter } from "./router.js";

export type { ContentRouter };

/** A typed client of the content service, for TypeScript services that call it directly. */
export const contentClient = (options: Parameters<typeof serviceClient>[0]): TRPCClient<ContentRouter> =>
  serviceClient<ContentRouter>(options);
