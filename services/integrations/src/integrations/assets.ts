import type { ServerResponse } from "node:http";
import { found } from "@octavo/shared/errors";
import type { RawRoute } from "@octavo/shared/rest/handler";
import type { RawDeclaration } from "@octavo/shared/rest/routes";
import * as queries from "../store/integrations.js";
import type { Ctx } from "../trpc.js";

export const ASSET = {
  method: "GET",
  path: "/integrations/{integrationName}/assets/{assetName}",
  name: "integrations.asset",
  openapi: {
    operationId: "getIntegrationAsset",
    summary: "Get a picture of an integration",
    response: { type: "image/png" },
  },
} satisfies RawDeclaration;

/**
 * The pictures of integrations, for browsers that have no token. The hash in an asset's name is what lets somebody
 * fetch it: only who was shown the integration, or has the picture, knows it.
 */
export const assetRoute = (context: () => Pick<Ctx, "db">): RawRoute => ({
  ...ASSET,
  handle: async (_req, res, { integrationName = "", assetName = "" }) => {
    const asset =
      sound(integrationName) &&
      sound(assetName) &&
      (await queries.asset(context(), integrationName, assetName));
    send(res, found(asset || undefined, "Asset").bytes);
  },
});

const sound = (segment: string) => !segment.includes("\0");

function send(res: ServerResponse, bytes: Buffer) {
  res.writeHead(200, {
    "content-type": "image/png",
    "content-length": bytes.length,
    "cache-control": "public, max-age=31536000, immutable",
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
  });
  res.end(bytes);
}
