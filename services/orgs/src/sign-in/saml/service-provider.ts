import { generateServiceProviderMetadata, SAML, ValidateInResponseTo } from "@node-saml/node-saml";
import type { Ctx } from "../../trpc.js";
import { SKEW_MS } from "./assertion.js";
import { readCertificate } from "./certificate.js";
import type { Row } from "./queries.js";
import { serviceOf } from "./view.js";
import { refuseResponse } from "./xml.js";

const EMAIL_FORMAT = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";

/** What an administrator gives to the identity provider. */
export function metadataOf(ctx: Ctx, row: Row): string {
  const { acsURL, entityID } = serviceOf(ctx, row);
  return generateServiceProviderMetadata({
    issuer: entityID,
    callbackUrl: acsURL,
    identifierFormat: EMAIL_FORMAT,
    wantAssertionsSigned: true,
  });
}

/** The address at the identity provider with our request, for the browser. */
export function requestTo(ctx: Ctx, row: Row, request: { id: string; relayState: string }): Promise<string> {
  return connectionTo(ctx, row, request.id).getAuthorizeUrlAsync(request.relayState, undefined, {});
}

/** What the library finds wrong, by its messages, which are not passed on: they may quote the document. */
const FINDINGS: [RegExp, string][] = [
  [/^Invalid signature/, "is not signed with the identity provider's certificate"],
  [/expired|not yet valid|subject confirmation/, "is not valid at this time"],
  [/audience/i, "is meant for another audience"],
  [/InResponseTo/, "answers another request"],
];

/** The assertion of a response as the very bytes that the pinned certificate signed. */
export async function verify(ctx: Ctx, row: Row, request: string, encoded: string): Promise<string> {
  const connection = connectionTo(ctx, row, request);
  try {
    const { profile } = await connection.validatePostResponseAsync({ SAMLResponse: encoded });
    const assertion = profile?.getAssertionXml?.();
    if (assertion) return assertion;
  } catch (error) {
    const found = FINDINGS.find(([pattern]) => pattern.test((error as Error).message));
    if (found) refuseResponse(found[1]);
  }
  refuseResponse("its signature or its conditions do not hold");
}

function connectionTo(ctx: Ctx, row: Row, request: string): SAML {
  const { acsURL, entityID } = serviceOf(ctx, row);
  const asked = { createdAt: Date.now(), value: new Date().toISOString() };
  return new SAML({
    issuer: entityID,
    audience: entityID,
    callbackUrl: acsURL,
    entryPoint: row.sso_url,
    idpIssuer: row.entity_id,
    idpCert: readCertificate(row.certificate),
    identifierFormat: EMAIL_FORMAT,
    disableRequestedAuthnContext: true,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: SKEW_MS,
    validateInResponseTo: ValidateInResponseTo.always,
    generateUniqueId: () => request,
    // Which requests are open stands in the database; to the library there is this one.
    cacheProvider: {
      saveAsync: async () => asked,
      getAsync: async (key) => (key === request ? asked.value : null),
      removeAsync: async () => null,
    },
  });
}
