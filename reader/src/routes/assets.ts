import type { IncomingMessage, ServerResponse } from "node:http";
import type { Assets } from "../assets/assets.js";
import { ASSET_POLICY, FRAME_POLICY } from "../frame/policy.js";
import type { Body } from "../http/body.js";
import { compressBest, respond, takesBrotli } from "../http/respond.js";
import { sendNothing } from "./not-found.js";

const FOREVER = "public, max-age=31536000, immutable";

/** What files may do that browsers may show as pages of their own. */
const POLICIES: Record<string, string> = {
  "text/html; charset=utf-8": FRAME_POLICY,
  "image/svg+xml": ASSET_POLICY,
};

/** Bytes up to which a file is compressed as far as brotli goes. */
const MOST_FOR_BEST = 200_000;
/** Whether one is being compressed like that: one at a time, so that whoever asks for many holds up nobody else. */
let compressing = false;

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
  const policy = POLICIES[type];
  const headers: Record<string, string> = policy ? { "content-security-policy": policy } : {};
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
  const isSmall = length <= MOST_FOR_BEST;
  if (isSmall && !compressing && takesBrotli(req, sent)) {
    compressing = true;
    await compressBest(sent).finally(() => {
      compressing = false;
    });
    asset.brotli = sent.brotli;
  }
  await respond(req, res, sent, FOREVER);
  // A large one is kept as it was compressed for the first client.
  if (!isSmall) asset.brotli = sent.brotli;
}
