import { inflateRawSync } from "node:zlib";
import { SignedXml } from "xml-crypto";
import { IDP } from "./testing-idp.js";

// Documents as an attacker writes them: every part can be another than it should be.

export interface Parts {
  request: string;
  acs: string;
  audience: string;
  key: string;
  certificate: string;
}

export interface Wrong {
  responseId?: string;
  assertionId?: string;
  issuer?: string;
  responseIssuer?: string;
  status?: string;
  destination?: string;
  recipient?: string;
  inResponseTo?: string;
  confirmedInResponseTo?: string;
  method?: string;
  notBefore?: number;
  notOnOrAfter?: number;
  confirmedUntil?: number;
  audience?: string;
  /** XML in the place of what it is called after. */
  nameId?: string;
  format?: string;
  subject?: string;
  conditions?: string;
  statement?: string;
  attributes?: string;
  /** In the assertion, before its end. */
  more?: string;
}

const NS =
  'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"';
export const EMAIL = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";
const time = (ms: number) => new Date(Date.now() + ms).toISOString();

export function assertionOf({ request, acs, audience }: Parts, wrong: Wrong = {}): string {
  const { notBefore = -1000, notOnOrAfter = 300_000, confirmedUntil = 300_000 } = wrong;
  const data =
    `NotOnOrAfter="${time(confirmedUntil)}" Recipient="${wrong.recipient ?? acs}"` +
    ` InResponseTo="${wrong.confirmedInResponseTo ?? request}"`;
  const subject =
    `<saml:Subject><saml:NameID Format="${wrong.format ?? EMAIL}">${wrong.nameId ?? "mallory@example.com"}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="${wrong.method ?? "urn:oasis:names:tc:SAML:2.0:cm:bearer"}">` +
    `<saml:SubjectConfirmationData ${data}/></saml:SubjectConfirmation></saml:Subject>`;
  const conditions =
    `<saml:Conditions NotBefore="${time(notBefore)}" NotOnOrAfter="${time(notOnOrAfter)}"><saml:AudienceRestriction>` +
    `<saml:Audience>${wrong.audience ?? audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`;
  const statement = `<saml:AuthnStatement AuthnInstant="${time(0)}"></saml:AuthnStatement>`;
  return (
    `<saml:Assertion ${NS} ID="${wrong.assertionId ?? `_a${request}`}" Version="2.0" IssueInstant="${time(0)}">` +
    `<saml:Issuer>${wrong.issuer ?? IDP}</saml:Issuer>${wrong.subject ?? subject}${wrong.conditions ?? conditions}` +
    `${wrong.statement ?? statement}${wrong.attributes ?? ""}${wrong.more ?? ""}</saml:Assertion>`
  );
}

/** A response around assertions. */
export function responseOf({ request, acs }: Parts, inside: string, wrong: Wrong = {}): string {
  const answered = wrong.inResponseTo ?? request;
  return (
    `<samlp:Response ${NS} ID="${wrong.responseId ?? "_response"}" Version="2.0" IssueInstant="${time(0)}"` +
    ` Destination="${wrong.destination ?? acs}"${answered ? ` InResponseTo="${answered}"` : ""}>` +
    `<saml:Issuer>${wrong.responseIssuer ?? wrong.issuer ?? IDP}</saml:Issuer><samlp:Status>` +
    `<samlp:StatusCode Value="${wrong.status ?? "urn:oasis:names:tc:SAML:2.0:status:Success"}"/></samlp:Status>` +
    `${inside}</samlp:Response>`
  );
}

interface Signing {
  what?: "Assertion" | "Response";
  key?: string;
  certificate?: string;
  method?: string;
  digest?: string;
  transforms?: string[];
  hmac?: boolean;
}

export const EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#";
export const ENVELOPED = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";

/** Signs the assertion or the response of a document, with the identity provider's key by default. */
export function sign(parts: Parts, xml: string, signing: Signing = {}): string {
  const { what = "Assertion", key = parts.key, certificate } = signing;
  const signer = new SignedXml({
    privateKey: key,
    ...(certificate && { publicCert: certificate }),
    signatureAlgorithm: signing.method ?? "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
    canonicalizationAlgorithm: EXCLUSIVE,
  });
  if (signing.hmac) signer.enableHMAC();
  const xpath = `//*[local-name(.)='${what}']`;
  signer.addReference({
    xpath,
    transforms: signing.transforms ?? [ENVELOPED, EXCLUSIVE],
    digestAlgorithm: signing.digest ?? "http://www.w3.org/2001/04/xmlenc#sha256",
  });
  const reference = `${xpath}/*[local-name(.)='Issuer']`;
  signer.computeSignature(xml, { prefix: "ds", location: { reference, action: "after" } });
  return signer.getSignedXml();
}

/** A document that is as it should be but for what is wrong, signed after that. */
export const signed = (parts: Parts, wrong: Wrong = {}, signing: Signing = {}): string =>
  sign(parts, responseOf(parts, assertionOf(parts, wrong), wrong), signing);

/** The assertion of a signed document with its signature, the signature alone, and the assertion without it. */
export function takeApart(xml: string) {
  const assertion = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)![0];
  const signature = /<ds:Signature[\s\S]*?<\/ds:Signature>/.exec(assertion)![0];
  return { assertion, signature, bare: assertion.replace(signature, "") };
}

/** The id of the request that an address to the identity provider carries, and its RelayState. */
export function requestOf(location: string): { id: string; relayState: string } {
  const query = new URL(location).searchParams;
  const xml = inflateRawSync(Buffer.from(query.get("SAMLRequest")!, "base64")).toString();
  return { id: /\bID="([^"]+)"/.exec(xml)![1]!, relayState: query.get("RelayState")! };
}
