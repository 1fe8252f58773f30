import type { IncomingMessage, ServerResponse } from "node:http";
import type { Assets } from "../assets/assets.js";
import { ASSET_POLICY, FRAME_POLICY } from "../frame/policy.js";
import type { Body } from "../http/body.js";
import { respond } from "../http/respond.js";
import { sendNothing } from "./not-found.js";

const FOREVER = "public, max-age=31536000, immutable";

/** Sends a file of our own, by its name; 404 where there is none. */
export async function sendAsset(
  req: IncomingMessage,
  res: ServerResponse,
  assets: Assets,
  name: string,
): Promise<void> {
  const asset = assets.find(name);
  if (!asset) return sendNothing(req, res, assets);
  const { type, length, body } = asset;
  const headers = { "content-security-policy": type.startsWith("text/html") ? FRAME_POLICY : ASSET_POLICY };
  const etag = `"${name.split(".").at(-2)}"`;
  const sent: Body = {
    status: 200,
    type,
    length,
    bytes: body,
    brotli: asset.brotli,
    etag,
    headers,
  };
  await respond(req, res, sent, FOREVER);
  // What was compressed for the first one is kept for all others.
  asset.brotli = sent.brotli;
}
