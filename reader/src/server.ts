import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { withoutShareKeys } from "@octavo/shared/contracts/share-keys";
import type { Logger } from "@octavo/shared/log";
import { type Assets, readAssets } from "./assets/assets.js";
import { createBodyCache } from "./cache/body-cache.js";
import { createRecentResponses } from "./cache/recent-responses.js";
import { codeOf, isGone, isUnavailable } from "./cache/upstream-errors.js";
import type { Drawing } from "./drawing/drawing.js";
import { plainHtml } from "./frame/plain.js";
import { policyOf } from "./frame/policy.js";
import { bodyOf } from "./http/body.js";
import { mountOf } from "./http/mounts.js";
import { bodyReader } from "./http/post-body.js";
import { respond } from "./http/respond.js";
import type { Protocol } from "./mcp/protocol.js";
import { createPrerender } from "./pages/prerender.js";
import { sendNothing } from "./routes/not-found.js";
import { HTML, NOT_STORED } from "./routes/page-request.js";
import { createWholeSpaces } from "./routes/whole-spaces.js";
import { routeRequest } from "./routing.js";
import { hasPage } from "./site/find.js";
import { createPlaces } from "./site/places.js";
import { spaceOf } from "./site/space.js";
import type { Upstreams } from "./site/upstreams.js";
import { wordsFor } from "./words/index.js";

interface Options {
  upstreams: Upstreams;
  /** The address of all sites, without a slash at its end. */
  sites: string;
  drawing: Drawing;
  protocol: Protocol;
  log: Logger;
}

/** The HTTP server of the sites that people read, not yet listening. */
export function createReader({ upstreams, sites, drawing, protocol, log }: Options): Server {
  const address = new URL(sites);
  const assets = readAssets();
  const places = createPlaces(upstreams, async (place, path) => hasPage(await spaceOf(place), path));
  const bodies = createBodyCache();
  const recent = createRecentResponses();
  const prerender = createPrerender();
  const wholeSpaces = createWholeSpaces();
  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (isHealthCheck(req)) return sendHealth(res);
    const mount = mountOf(address, req.url!);
    const assetsHere = assets.below(mount.base);
    const { name, isOwnHost } = mount;
    const reader = {
      mount,
      owner: { name, isOwnHost, secure: address.protocol === "https:" },
      assets: assetsHere,
      places,
      bodies,
      recent,
      prerender,
      wholeSpaces,
      drawing,
      protocol,
      readBody: bodyReader(req),
    };
    await routeRequest(req, res, reader)
      // A token that ends before its time says that fewer people may see the site: the address may be theirs no more.
      .catch((error: unknown) => {
        if (codeOf(error) !== "UNAUTHORIZED" || res.headersSent) throw error;
        return routeRequest(req, res, reader, { again: true });
      })
      .catch((error: unknown) => sendFailure(req, res, assetsHere, error, log));
  }

  return createServer((req, res) => {
    if (recent.send(req, res)) return;
    handle(req, res).catch((error: unknown) => {
      log.error({ err: error }, "a request could not be read");
      res.destroy();
    });
  });
}

/** Whether somebody asks if the process is alive, and ready: it is both as long as it responds. */
export const isHealthCheck = ({ method, url = "" }: IncomingMessage): boolean =>
  (method === "GET" || method === "HEAD") && /^\/(?:livez|readyz)(?:\?|$)/.test(url);

function sendHealth(res: ServerResponse): void {
  const text = JSON.stringify({ status: "ok", unready: [] });
  const length = Buffer.byteLength(text);
  res.writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": length });
  res.end(res.req.method === "HEAD" ? undefined : text);
}

/** What cannot be shown: 404 for what is not there any more, else 503 while somebody is away. */
async function sendFailure(
  req: IncomingMessage,
  res: ServerResponse,
  assets: Assets,
  error: unknown,
  log: Logger,
): Promise<void> {
  if (res.destroyed && !res.headersSent) return;
  const code = codeOf(error);
  if (isGone(error) && !res.headersSent) return sendNothing(req, res, assets);
  const path = withoutShareKeys(req.url!.split("?", 1)[0]!);
  log.error({ err: error, path }, "a page could not be shown");
  if (res.headersSent) return void res.destroy();
  const status = isUnavailable(error) || code === "UNAUTHORIZED" ? 503 : 500;
  const headers = { "content-security-policy": policyOf(), "retry-after": "5" };
  const { language, words } = wordsFor(req.headers["accept-language"]);
  const text = plainHtml(assets, language, words.away, words.awayText);
  await respond(req, res, bodyOf(text, { status, type: HTML, headers }), NOT_STORED);
}
