import * as samlify from "samlify";
import { type Identity, newIdentity } from "./testing-certificate.js";

samlify.setSchemaValidator({ validate: async () => "no schema is at hand" });

export const IDP = "https://idp.example.com/metadata";
export const SSO_URL = "https://idp.example.com/sso?tenant=acme";

export interface Account {
  email: string;
  firstName?: string;
  lastName?: string;
}

/** An identity provider by samlify, which responds to requests as one does, for the accounts that a test names. */
export function startIdentityProvider(identity: Identity = newIdentity()) {
  const provider = samlify.IdentityProvider({
    entityID: IDP,
    privateKey: identity.key,
    signingCert: identity.certificate,
    requestSignatureAlgorithm: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
    nameIDFormat: ["urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"],
    singleSignOnService: [{ Binding: samlify.Constants.namespace.binding.redirect, Location: SSO_URL }],
    singleLogoutService: [{ Binding: samlify.Constants.namespace.binding.redirect, Location: SSO_URL }],
    loginResponseTemplate: {
      context: samlify.SamlLib.defaultLoginResponseTemplate.context,
      attributes: ["first_name", "last_name"].map((name) => ({
        name,
        nameFormat: "urn:oasis:names:tc:SAML:2.0:attrname-format:basic",
        valueXsiType: "xs:string",
        valueTag: name,
      })),
    },
  });

  /** Signs an account in: reads the request that `location` brings, and returns the form that is posted back. */
  async function signIn(location: string, metadata: string, account: Account) {
    const query = Object.fromEntries(new URL(location).searchParams);
    const service = samlify.ServiceProvider({ metadata });
    const { extract } = await provider.parseLoginRequest(service, "redirect", { query });
    const now = Date.now();
    const time = (ms: number) => new Date(now + ms).toISOString();
    const target = service.entityMeta.getAssertionConsumerService("post") as string;
    const authn =
      `<saml:AuthnStatement AuthnInstant="${time(0)}"><saml:AuthnContext><saml:AuthnContextClassRef>` +
      "urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext>" +
      "</saml:AuthnStatement>";
    const values: Record<string, string> = {
      ID: `_r${now}${Math.random().toString(36).slice(2)}`,
      AssertionID: `_a${now}${Math.random().toString(36).slice(2)}`,
      Destination: target,
      Audience: service.entityMeta.getEntityID(),
      SubjectRecipient: target,
      AssertionConsumerServiceURL: target,
      Issuer: IDP,
      IssueInstant: time(0),
      ConditionsNotBefore: time(-1000),
      ConditionsNotOnOrAfter: time(300_000),
      SubjectConfirmationDataNotOnOrAfter: time(300_000),
      NameIDFormat: "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
      NameID: account.email,
      InResponseTo: extract.request!.id as string,
      StatusCode: "urn:oasis:names:tc:SAML:2.0:status:Success",
      attrFirstName: account.firstName ?? "",
      attrLastName: account.lastName ?? "",
    };
    const fill = (template: string) => ({
      id: values.ID!,
      context: samlify.SamlLib.replaceTagsByValue(template.replace("{AuthnStatement}", authn), values),
    });
    const response = await provider.createLoginResponse(service, { extract }, "post", { ...account }, fill);
    return new URLSearchParams({ SAMLResponse: response.context, RelayState: query.RelayState! });
  }

  return { identity, signIn };
}
