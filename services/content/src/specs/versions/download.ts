import type { IncomingMessage, ServerResponse } from "node:http";
import { found } from "@octavo/shared/errors";
import type { RawRoute } from "@octavo/shared/rest/handler";
import type { RawDeclaration } from "@octavo/shared/rest/routes";
import type { Ctx } from "../../trpc.js";
import * as queries from "../store/versions.js";
import { versionIn } from "./address.js";

/** What OpenAPI documents in JSON are called. */
const TYPE = "application/vnd.oai.openapi+json";
const response = { type: TYPE };

export const PUBLISHED = {
  method: "GET",
  path: "/openapi/{openAPISpecId}",
  name: "openapiVersions.published",
  openapi: {
    operationId: "getPublishedOpenAPISpec",
    summary: "Get the document of a public OpenAPI specification, as its `urls.published` gives it",
    response,
  },
} satisfies RawDeclaration;

export const DOCUMENT = {
  method: "GET",
  path: "/openapi/{openAPISpecId}/versions/{ticket}",
  name: "openapiVersions.download",
  openapi: {
    operationId: "downloadOpenAPISpecVersion",
    summary: "Download the document of a version of an OpenAPI specification from its signed address",
    response,
  },
} satisfies RawDeclaration;

const HOUR_S = 3600;
const MINUTE_S = 60;

/** Serves the documents of public specifications, and those behind signed addresses; 404 for all others. */
export const documentRoutes = (context: () => Ctx): RawRoute[] => [
  {
    ...PUBLISHED,
    handle: async (req, res, { openAPISpecId }) => {
      const document = await queries.publishedOf(context(), openAPISpecId!);
      send(req, res, found(document, "OpenAPI specification"), `public, max-age=${MINUTE_S}`);
    },
  },
  {
    ...DOCUMENT,
    handle: async (req, res, { openAPISpecId, ticket }) => {
      const ctx = context();
      const version = versionIn(ctx, openAPISpecId!, ticket!);
      const document = version === undefined ? undefined : await queries.textOf(ctx, version);
      send(req, res, found(document, "Version"), `private, max-age=${HOUR_S}`);
    },
  },
];

function send(
  req: IncomingMessage,
  res: ServerResponse,
  { hash, document }: { hash: string; document: string },
  caching: string,
): void {
  const etag = `"${hash}"`;
  const headers = {
    "content-type": TYPE,
    "x-content-type-options": "nosniff",
    // Pages of other origins show documents, and there is nothing here that a token would open.
    "access-control-allow-origin": "*",
    "cache-control": caching,
    etag,
  };
  const known = req.headers["if-none-match"]?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  if (known.includes(etag)) return void res.writeHead(304, headers).end();
  const body = Buffer.from(document);
  res.writeHead(200, { ...headers, "content-length": body.length });
  res.end(req.method === "HEAD" ? undefined : body);
}
