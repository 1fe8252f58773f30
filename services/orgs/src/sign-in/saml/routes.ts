import type { IncomingMessage, ServerResponse } from "node:http";
import { found } from "@octavo/shared/errors";
import { readBody, readForm } from "@octavo/shared/rest/body";
import type { RawRoute } from "@octavo/shared/rest/handler";
import type { RawDeclaration } from "@octavo/shared/rest/routes";
import type { Ctx } from "../../trpc.js";
import { LARGEST } from "./document.js";
import * as providers from "./queries.js";
import { returnAddress } from "./return-address.js";
import { metadataOf } from "./service-provider.js";
import * as signIn from "./sign-in.js";

/** Room for the percent-encoding of the largest document, and the RelayState. */
const LARGEST_FORM = 2 * LARGEST;
const LARGEST_EXCHANGE = 10_000;

const METADATA = {
  method: "GET",
  path: "/sso/saml/{samlProviderId}/metadata",
  name: "sso.metadata",
  limit: "address",
  openapi: {
    operationId: "getSAMLMetadata",
    summary: "Get the metadata that an identity provider asks of a SAML service provider",
    response: { type: "application/samlmetadata+xml" },
  },
} satisfies RawDeclaration;
const START = {
  method: "GET",
  path: "/sso/saml/{samlProviderId}/start",
  name: "sso.start",
  limit: "address",
  openapi: {
    operationId: "startSAMLSignIn",
    summary: "Send a browser to the identity provider to sign in",
    status: 302,
    query: ["returnTo"],
  },
} satisfies RawDeclaration;
const CONSUME = {
  method: "POST",
  path: "/sso/saml/{samlProviderId}/acs",
  name: "sso.consume",
  form: true,
  limit: "address",
  maxBody: LARGEST_FORM,
  openapi: {
    operationId: "consumeSAMLResponse",
    summary: "Take the identity provider's response, and send the browser back with a code",
    status: 303,
    body: { type: "application/x-www-form-urlencoded", schema: texts("SAMLResponse", "RelayState") },
  },
} satisfies RawDeclaration;
const EXCHANGE = {
  method: "POST",
  path: "/sso/exchange",
  name: "sso.exchange",
  limit: "address",
  maxBody: LARGEST_EXCHANGE,
  openapi: {
    operationId: "exchangeSignInCode",
    summary: "Exchange the code of a sign-in or an invite for an API token",
    body: { type: "application/json", schema: texts("code") },
    response: { type: "application/json", schema: { $ref: "#/components/schemas/UserAPITokenExtended" } },
  },
} satisfies RawDeclaration;

/** What browsers and programs ask without a token, on the way to one. */
export const SIGN_IN = [METADATA, START, CONSUME, EXCHANGE];

/** The schema of an object of texts, of which the first is required. */
function texts(first: string, ...others: string[]) {
  const properties = Object.fromEntries([first, ...others].map((name) => [name, { type: "string" }]));
  return { type: "object", required: [first], properties };
}

type RequestPart = Pick<Ctx, "requestId" | "ip">;

/** The routes of a sign-in; browsers return to one of the addresses, without a wish to the first. */
export function signInRoutes(context: (part: RequestPart) => Ctx, returnAddresses: URL[]): RawRoute[] {
  const ctxOf = (req: IncomingMessage, res: ServerResponse) =>
    context({ requestId: String(res.getHeader("x-request-id")), ip: clientOf(req) });

  return [
    {
      ...METADATA,
      handle: async (req, res, { samlProviderId }) => {
        const ctx = ctxOf(req, res);
        const row = found(await providers.findAny(ctx, samlProviderId!), "SAML provider");
        send(req, res, "application/samlmetadata+xml; charset=utf-8", metadataOf(ctx, row));
      },
    },
    {
      ...START,
      handle: async (req, res, { samlProviderId }) => {
        const wanted = new URL(req.url!, "http://octavo").searchParams.get("returnTo") ?? undefined;
        const returnTo = returnAddress(returnAddresses, wanted);
        redirect(res, 302, await signIn.start(ctxOf(req, res), samlProviderId!, returnTo));
      },
    },
    {
      ...CONSUME,
      handle: async (req, res, { samlProviderId }) => {
        const ctx = ctxOf(req, res);
        found(await providers.findAny(ctx, samlProviderId!), "SAML provider");
        const form = await readForm(req, LARGEST_FORM);
        redirect(res, 303, await signIn.consume(ctx, samlProviderId!, form));
      },
    },
    {
      ...EXCHANGE,
      handle: async (req, res) => {
        const { code } = await readBody(req, LARGEST_EXCHANGE);
        const token = await signIn.exchange(ctxOf(req, res), code);
        send(req, res, "application/json; charset=utf-8", JSON.stringify(token));
      },
    },
  ];
}

const clientOf = ({ headers }: IncomingMessage) => {
  const forwarded = headers["x-forwarded-for"];
  return typeof forwarded === "string" ? forwarded.split(",", 1)[0]!.trim() : undefined;
};

/** Nothing on the way to a token may stay in a cache or in a referrer. */
const PRIVATE = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

function redirect(res: ServerResponse, status: 302 | 303, location: string) {
  res.writeHead(status, { ...PRIVATE, location, "content-length": 0 }).end();
}

function send(req: IncomingMessage, res: ServerResponse, type: string, text: string) {
  res.writeHead(200, { ...PRIVATE, "content-type": type, "content-length": Buffer.byteLength(text) });
  res.end(req.method === "HEAD" ? undefined : text);
}
