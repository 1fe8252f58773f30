import {
  ASSERTION,
  attribute,
  childrenByName,
  childrenOf,
  only,
  PROTOCOL,
  parseXml,
  refuseResponse,
  SIGNATURE,
  textOf,
} from "./xml.js";

/** What a response says about itself, before anything in it is believed. */
export interface Envelope {
  /** The document in base64 without anything that readers could take differently. */
  encoded: string;
  inResponseTo: string;
}

interface Expected {
  /** Our address that the response was posted to. */
  acsURL: string;
  /** The name of the identity provider. */
  issuer: string;
}

/** Largest document, in characters of base64. */
export const LARGEST = 256 * 1024;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success";
const EXCLUSIVE = ["http://www.w3.org/2001/10/xml-exc-c14n#"];
const TRANSFORMS = ["http://www.w3.org/2000/09/xmldsig#enveloped-signature", ...EXCLUSIVE];
const METHODS = [
  "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
  "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
];
const DIGESTS = ["http://www.w3.org/2001/04/xmlenc#sha256", "http://www.w3.org/2001/04/xmlenc#sha512"];

/**
 * Checks the form of a response, strictly: one assertion, signed itself and with sound algorithms, in its one place,
 * every id once. What a signature wrapper needs is refused here, before any signature is looked at.
 */
export function readEnvelope(posted: string, { acsURL, issuer }: Expected): Envelope {
  const xml = decode(posted);
  const elements = parseXml(xml);
  const response = elements[0]!;
  if (response.localName !== "Response" || response.namespaceURI !== PROTOCOL)
    refuseResponse("is not a SAML response", "saml_malformed");
  checkIds(elements);
  const status = attribute(only(only(response, "Status", PROTOCOL), "StatusCode", PROTOCOL), "Value");
  if (status !== SUCCESS) refuseResponse("the identity provider signed nobody in", "saml_unsuccessful");
  const assertion = findAssertion(elements, response);
  checkSignatures(elements, [response, assertion]);
  if (attribute(response, "Version") !== "2.0") refuseResponse("is not of SAML 2.0", "saml_malformed");
  if ((attribute(response, "Destination") ?? acsURL) !== acsURL)
    refuseResponse("was sent to another destination");
  for (const sender of childrenByName(response, "Issuer")) {
    if (textOf(sender) !== issuer) refuseResponse("comes from another identity provider");
  }
  const inResponseTo = attribute(response, "InResponseTo");
  if (!inResponseTo) refuseResponse("answers no request of ours");
  return { encoded: Buffer.from(xml, "utf8").toString("base64"), inResponseTo };
}

function decode(posted: string): string {
  if (posted.length > LARGEST) refuseResponse("is too large", "saml_malformed");
  const encoded = posted.replace(/[\r\n\t ]+/g, "");
  if (encoded.length % 4 !== 0 || !BASE64.test(encoded)) refuseResponse("is not base64", "saml_malformed");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(encoded, "base64"));
  } catch {
    refuseResponse("is not XML in UTF-8", "saml_malformed");
  }
}

/** The id that a signature points at must mean one element to everybody who looks it up. */
function checkIds(elements: Element[]): void {
  const ids = elements.flatMap((element) =>
    Array.from(element.attributes)
      .filter(({ localName, name }) => (localName ?? name).toLowerCase() === "id")
      .map(({ value }) => value),
  );
  if (new Set(ids).size !== ids.length) refuseResponse("uses an id twice");
}

function findAssertion(elements: Element[], response: Element): Element {
  if (elements.some(({ localName }) => localName?.startsWith("Encrypted")))
    refuseResponse("is encrypted, which is not supported");
  const assertions = elements.filter(({ localName }) => localName === "Assertion");
  const [assertion] = assertions;
  if (!assertion || assertions.length > 1) refuseResponse("needs exactly one assertion");
  if (assertion.namespaceURI !== ASSERTION || assertion.parentNode !== response)
    refuseResponse("its assertion is not where it belongs");
  if (elements.some((element) => element !== response && element.localName === "Response"))
    refuseResponse("holds another response");
  return assertion;
}

function checkSignatures(elements: Element[], [response, assertion]: [Element, Element]): void {
  const signatures = elements.filter(({ localName }) => localName === "Signature");
  for (const signature of signatures) {
    if (signature.parentNode !== response && signature.parentNode !== assertion)
      refuseResponse("has a signature where none belongs");
    checkSignature(signature, signature.parentNode as Element);
  }
  if (childrenByName(assertion, "Signature", SIGNATURE).length !== 1)
    refuseResponse("its assertion is not signed");
  if (childrenByName(response, "Signature", SIGNATURE).length > 1) refuseResponse("is signed more than once");
}

/** One reference to the element that the signature stands in, by nothing but the usual algorithms. */
function checkSignature(signature: Element, signed: Element): void {
  if (signature.namespaceURI !== SIGNATURE) refuseResponse("has a signature of an unknown kind");
  const allowed = ["SignedInfo", "SignatureValue", "KeyInfo"];
  if (childrenOf(signature).some(({ localName }) => !allowed.includes(localName!)))
    refuseResponse("its signature holds more than a signature");
  const info = only(signature, "SignedInfo", SIGNATURE);
  const reference = only(info, "Reference", SIGNATURE);
  const id = attribute(signed, "ID");
  if (!id || attribute(reference, "URI") !== `#${id}`) refuseResponse("its signature signs something else");
  checkAlgorithm(only(info, "CanonicalizationMethod", SIGNATURE), EXCLUSIVE);
  checkAlgorithm(only(info, "SignatureMethod", SIGNATURE), METHODS);
  checkAlgorithm(only(reference, "DigestMethod", SIGNATURE), DIGESTS);
  const transforms = childrenOf(only(reference, "Transforms", SIGNATURE));
  if (transforms.length > 2) refuseResponse("its signature transforms too much");
  for (const transform of transforms) checkAlgorithm(transform, TRANSFORMS);
}

function checkAlgorithm(element: Element, allowed: string[]): void {
  if (allowed.includes(attribute(element, "Algorithm") ?? "")) return;
  refuseResponse(`its signature uses an algorithm that is not accepted as ${element.localName}`);
}
