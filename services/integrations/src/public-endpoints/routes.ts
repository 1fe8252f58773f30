import type { IncomingMessage, ServerResponse } from "node:http";
import { readBytes, SMALL_BODY } from "@octavo/shared/rest/body";
import type { RawRoute } from "@octavo/shared/rest/handler";
import { ask } from "../events/ask.js";
import type { Ctx } from "../trpc.js";
import { PUBLIC_ENDPOINTS, PUBLISHED_SCRIPTS, VISITOR_AUTHENTICATION } from "./declarations.js";
import { type Passed, passedOn } from "./response.js";
import { endpointOf, type Named, scriptTargetOf, targetOf, visitorAuthTargetOf } from "./target.js";

/** The routes by which anybody reaches the scripts of integrations. */
export const publicRoutes = (context: () => Ctx): RawRoute[] => [
  ...PUBLIC_ENDPOINTS.map((declared) => ({
    ...declared,
    handle: async (req: IncomingMessage, res: ServerResponse, params: Named) =>
      write(req, res, await fetchFrom(underRequest(context(), req), req, params)),
  })),
  ...PUBLISHED_SCRIPTS.map((declared) => ({
    ...declared,
    handle: async (req: IncomingMessage, res: ServerResponse, params: Named) =>
      write(req, res, await scriptOf(underRequest(context(), req), params)),
  })),
  {
    ...VISITOR_AUTHENTICATION,
    handle: async (req: IncomingMessage, res: ServerResponse, params: Named) =>
      write(req, res, await signInBy(underRequest(context(), req), req, params)),
  },
];

/** Runs the script of an integration for a request to a public endpoint. */
async function fetchFrom(ctx: Ctx, req: IncomingMessage, named: Named): Promise<Passed> {
  const body = await readBytes(req, SMALL_BODY);
  const target = await targetOf(ctx, named);
  const method = methodOf(req);
  const url = endpointOf(ctx, target, named.integrationName!) + behindEndpoint(req.url!, target.ids);
  const request = { method, url, headers: headersOf(req) };
  const passes = body.length > 0 && method !== "get";
  return ask(
    ctx,
    {
      about: target.about,
      platformEvent: { type: "fetch", ...target.ids, request },
      body: passes ? body : undefined,
    },
    (response) => passedOn(response, target),
  );
}

/** Has the script of an integration make what it puts into pages. */
async function scriptOf(ctx: Ctx, named: Named): Promise<Passed> {
  const target = await scriptTargetOf(ctx, named);
  const platformEvent = { type: "fetch_published_script" as const, ...target.ids };
  return ask(ctx, { about: target.about, platformEvent }, (response) => passedOn(response, target));
}

/** Characters of the longest place that a visitor is brought back to. */
const LONGEST_LOCATION = 4096;
/** A path below the site, encoded: where else it could lead to, scripts need not look after. */
const PLACE = /^(?!.*\/\/)[\w!~*'()%-][\w!~*'().%/-]*$/;

/** Has the script of an integration sign in a visitor of a site. */
async function signInBy(ctx: Ctx, req: IncomingMessage, named: Named): Promise<Passed> {
  const target = await visitorAuthTargetOf(ctx, named);
  const given = new URL(req.url!, "http://host").searchParams.get("location") ?? "";
  const location = given.length <= LONGEST_LOCATION && PLACE.test(given) ? given : undefined;
  const platformEvent = { type: "fetch_visitor_authentication" as const, ...target.ids, location };
  return ask(ctx, { about: target.about, platformEvent }, (response) => passedOn(response, target));
}

function write(req: IncomingMessage, res: ServerResponse, { status, headers, body }: Passed) {
  const length = status === 204 || status === 304 ? {} : { "content-length": body.length };
  res.writeHead(status, { ...headers, ...length }).end(req.method === "HEAD" ? undefined : body);
}

/** The context of one request. What a client asked for goes on when it does not wait for the response, as senders do. */
function underRequest(ctx: Ctx, req: IncomingMessage): Ctx {
  const requestId = [req.headers["x-request-id"]].flat()[0] ?? ctx.requestId;
  return { ...ctx, requestId, reply: { headers: {} } };
}

/** HEAD is a GET whose response is sent without its body. */
const methodOf = ({ method }: IncomingMessage) =>
  (method === "HEAD" ? "get" : method!.toLowerCase()) as "get" | "post" | "put" | "delete";

/** What a client asked for behind the endpoint, spelled as it was. */
function behindEndpoint(url: string, { installationId, spaceId, siteId }: object & Named): string {
  const [path = "", ...query] = url.split("?");
  const own = 4 + (installationId === undefined ? 0 : 2) + ((spaceId ?? siteId) ? 2 : 0);
  const rest = path.split("/").slice(own + 1);
  const search = query.length > 0 ? `?${query.join("?")}` : "";
  return (rest.length > 0 ? `/${rest.join("/")}` : "") + search;
}

/** Of no concern to a script, or ours: bearers and cookies are for this interface and for the sites beside it. */
const KEPT_BACK =
  /^(?:authorization|proxy-.*|cookie|host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-length|forwarded|traceparent|tracestate|x-octavo-.*|x-internal-.*|x-forwarded-.*|x-request-id)$/;

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && !KEPT_BACK.test(name),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, [value].flat().join(", ")]));
}
