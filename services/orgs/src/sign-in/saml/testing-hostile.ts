import { createPublicKey } from "node:crypto";
import { newIdentity } from "./testing-certificate.js";
import {
  assertionOf,
  ENVELOPED,
  EXCLUSIVE,
  type Parts,
  responseOf,
  sign,
  signed,
  takeApart,
} from "./testing-forgery.js";

const foreign = newIdentity("Foreign");
const EVIL = { nameId: "admin@example.com", assertionId: "_evil" };
const HOUR = 3_600_000;

/** A document whose genuine assertion was taken out, for the wrapper to place. */
function wrapped(parts: Parts, place: (taken: ReturnType<typeof takeApart> & { evil: string }) => string) {
  const taken = takeApart(signed(parts));
  return responseOf(parts, place({ ...taken, evil: assertionOf(parts, EVIL) }));
}

const into = (element: string, inside: string) => element.replace(/<\/saml:Assertion>$/, `${inside}$&`);
const object = (inside: string) =>
  `<ds:Object xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${inside}</ds:Object>`;
const inSignature = (signature: string, inside: string) =>
  signature.replace(/<\/ds:Signature>$/, `${inside}$&`);
const extensions = (inside: string) => `<samlp:Extensions>${inside}</samlp:Extensions>`;
const doctype = (subset: string) => `<!DOCTYPE r [${subset}]>`;
const attribute = (name: string, value: string) =>
  `<saml:AttributeStatement><saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue>` +
  "</saml:Attribute></saml:AttributeStatement>";

/** Signs the response and not the assertion, as wrappers of responses begin. */
const signedResponse = (parts: Parts) =>
  sign(parts, responseOf(parts, assertionOf(parts)), { what: "Response" });

/** What must be refused, and why: each differs from an honest document in what it is called after. */
export const HOSTILE: Record<string, (parts: Parts) => string> = {
  // Signatures wrapped around something else (Somorovsky et al., XSW 1 to 8)
  "XSW1: the signed response in the signature of an evil one": (parts) => {
    const genuine = signedResponse(parts);
    const signature = /<ds:Signature[\s\S]*?<\/ds:Signature>/.exec(genuine)![0];
    const evil = responseOf(parts, assertionOf(parts, EVIL), { responseId: "_evilResponse" });
    const whole = inSignature(signature, object(genuine.replace(signature, "")));
    return evil.replace("</saml:Issuer>", `</saml:Issuer>${whole}`);
  },
  "XSW2: the signed response beside the signature in an evil one": (parts) => {
    const genuine = signedResponse(parts);
    const signature = /<ds:Signature[\s\S]*?<\/ds:Signature>/.exec(genuine)![0];
    const evil = responseOf(parts, assertionOf(parts, EVIL), { responseId: "_evilResponse" });
    return evil.replace("</saml:Issuer>", `</saml:Issuer>${genuine.replace(signature, "")}${signature}`);
  },
  "XSW3: an evil assertion before the signed one": (parts) =>
    wrapped(parts, ({ evil, assertion }) => evil + assertion),
  "XSW3: an evil assertion after the signed one": (parts) =>
    wrapped(parts, ({ evil, assertion }) => assertion + evil),
  "XSW4: the signed assertion inside an evil one": (parts) =>
    wrapped(parts, ({ evil, assertion }) => into(evil, assertion)),
  "XSW5: the signature in an evil assertion, the signed one after it": (parts) =>
    wrapped(parts, ({ evil, signature, bare }) => into(evil, signature) + bare),
  "XSW6: the signed assertion in the signature of an evil one": (parts) =>
    wrapped(parts, ({ evil, signature, bare }) =>
      evil.replace("</saml:Issuer>", `</saml:Issuer>${inSignature(signature, bare)}`),
    ),
  "XSW7: an evil assertion in Extensions": (parts) =>
    wrapped(parts, ({ evil, assertion }) => extensions(evil) + assertion),
  "XSW8: the signed assertion in an Object of the signature of an evil one": (parts) =>
    wrapped(parts, ({ evil, signature, bare }) =>
      evil.replace("</saml:Issuer>", `</saml:Issuer>${inSignature(signature, object(bare))}`),
    ),
  "the signed assertion under an evil one with the same id": (parts) =>
    wrapped(parts, ({ assertion }) =>
      into(assertionOf(parts, { ...EVIL, assertionId: undefined }), assertion),
    ),
  "an evil assertion of another namespace beside the signed one": (parts) =>
    wrapped(
      parts,
      ({ evil, assertion }) =>
        evil
          .replaceAll("saml:Assertion", "x:Assertion")
          .replace("<x:Assertion", '<x:Assertion xmlns:x="urn:x"') + assertion,
    ),
  "two assertions, each signed": (parts) =>
    responseOf(
      parts,
      takeApart(signed(parts)).assertion + takeApart(signed(parts, { assertionId: "_second" })).assertion,
    ),
  "two signatures in one assertion": (parts) => {
    const xml = signed(parts);
    const { signature } = takeApart(xml);
    return xml.replace(signature, signature + signature);
  },
  "a signature that refers to the whole document": (parts) =>
    signed(parts).replace(`URI="#_a${parts.request}"`, 'URI=""'),
  "a signature that refers to the response": (parts) =>
    signed(parts).replace(`URI="#_a${parts.request}"`, 'URI="#_response"'),

  // What is signed, by whom, and how
  "no signature at all": (parts) => responseOf(parts, assertionOf(parts)),
  "a signed response with an unsigned assertion": signedResponse,
  "a foreign key": (parts) => signed(parts, {}, { key: foreign.key }),
  "a foreign key with its certificate in KeyInfo": (parts) => signed(parts, {}, foreign),
  "a foreign key with the pinned certificate in KeyInfo": (parts) =>
    signed(parts, {}, { key: foreign.key, certificate: parts.certificate }),
  "an empty signature value": (parts) =>
    signed(parts).replace(/(<ds:SignatureValue>)[^<]*/, (_, tag: string) => tag),
  "a signature of another assertion": (parts) => {
    const { signature } = takeApart(signed(parts, { nameId: "other@example.com" }));
    const xml = signed(parts);
    return xml.replace(takeApart(xml).signature, signature);
  },
  "SHA-1 in the signature": (parts) =>
    signed(parts, {}, { method: "http://www.w3.org/2000/09/xmldsig#rsa-sha1" }),
  "SHA-1 in the digest": (parts) => signed(parts, {}, { digest: "http://www.w3.org/2000/09/xmldsig#sha1" }),
  "MD5 in the signature": (parts) => signed(parts).replace("xmldsig-more#rsa-sha256", "xmldsig-more#rsa-md5"),
  "an HMAC with the public certificate as its secret": (parts) =>
    signed(
      parts,
      {},
      {
        hmac: true,
        key: parts.certificate,
        method: "http://www.w3.org/2000/09/xmldsig#hmac-sha1",
      },
    ),
  "an HMAC with the public key as its secret": (parts) =>
    signed(
      parts,
      {},
      {
        hmac: true,
        key: createPublicKey(parts.certificate).export({ type: "spki", format: "pem" }) as string,
        method: "http://www.w3.org/2000/09/xmldsig#hmac-sha1",
      },
    ),
  "a canonicalization that keeps comments": (parts) =>
    signed(parts, {}, { transforms: [ENVELOPED, `${EXCLUSIVE}WithComments`] }),
  "an XSLT as a transform": (parts) =>
    signed(parts).replace(ENVELOPED, "http://www.w3.org/TR/1999/REC-xslt-19991116"),

  // Altered after it was signed
  "another NameID": (parts) => signed(parts).replace("mallory@", "admin@"),
  "other attributes": (parts) =>
    signed(parts, { attributes: attribute("first_name", "Mallory") }).replace(">Mallory<", ">Ada<"),
  "an attribute more": (parts) =>
    signed(parts).replace("</saml:Assertion>", `${attribute("last_name", "X")}</saml:Assertion>`),
  "a longer life": (parts) =>
    signed(parts, { notOnOrAfter: -HOUR }).replace(
      /(<saml:Conditions [^>]*NotOnOrAfter=")[^"]*/,
      (_, before: string) => before + new Date(Date.now() + HOUR).toISOString(),
    ),

  // For somebody else, somewhere else, at another time
  expired: (parts) => signed(parts, { notBefore: -2 * HOUR, notOnOrAfter: -HOUR }),
  "expired as a confirmation": (parts) => signed(parts, { confirmedUntil: -HOUR }),
  "not valid yet": (parts) => signed(parts, { notBefore: HOUR, notOnOrAfter: 2 * HOUR }),
  "expired beyond the tolerance by a second": (parts) => signed(parts, { notOnOrAfter: -31_000 }),
  "a session that is over": (parts) =>
    signed(parts, {
      statement: `<saml:AuthnStatement AuthnInstant="2020-01-01T00:00:00Z" SessionNotOnOrAfter="2020-01-02T00:00:00Z"/>`,
    }),
  "times that are none": (parts) =>
    signed(parts, { conditions: '<saml:Conditions NotBefore="now" NotOnOrAfter="later"/>' }),
  "another audience": (parts) => signed(parts, { audience: "https://other.example/metadata" }),
  "an audience in another case": (parts) => signed(parts, { audience: parts.audience.toUpperCase() }),
  "an audience that begins as ours": (parts) => signed(parts, { audience: `${parts.audience}/x` }),
  "no conditions": (parts) => signed(parts, { conditions: "" }),
  "conditions without an audience": (parts) =>
    signed(parts, {
      conditions: `<saml:Conditions NotOnOrAfter="${new Date(Date.now() + HOUR).toISOString()}"/>`,
    }),
  "conditions twice": (parts) => {
    const [conditions] = /<saml:Conditions[\s\S]*<\/saml:Conditions>/.exec(assertionOf(parts))!;
    return signed(parts, { conditions: conditions + conditions });
  },
  "another recipient": (parts) => signed(parts, { recipient: "https://other.example/acs" }),
  "another destination": (parts) => signed(parts, { destination: "https://other.example/acs" }),
  "another request in the response": (parts) => signed(parts, { inResponseTo: "_other" }),
  "another request in the confirmation": (parts) => signed(parts, { confirmedInResponseTo: "_other" }),
  "no request at all": (parts) => signed(parts, { inResponseTo: "", confirmedInResponseTo: "" }),
  "another issuer": (parts) => signed(parts, { issuer: "https://evil.example/metadata" }),
  "another issuer in the response": (parts) =>
    signed(parts, { responseIssuer: "https://evil.example/metadata" }),
  "a confirmation by another method": (parts) =>
    signed(parts, { method: "urn:oasis:names:tc:SAML:2.0:cm:sender-vouches" }),
  "nobody signed in": (parts) => signed(parts, { statement: "" }),
  "a status of failure": (parts) => signed(parts, { status: "urn:oasis:names:tc:SAML:2.0:status:Responder" }),

  // Names that are read in two ways
  "a comment in the NameID": (parts) => signed(parts, { nameId: "admin@example.com<!---->.evil.example" }),
  "a comment in the NameID, put in after signing": (parts) =>
    signed(parts, { nameId: "admin@example.com.evil.example" }).replace(
      "admin@example.com.evil",
      "admin@example.com<!-- -->.evil",
    ),
  "a processing instruction in the NameID": (parts) =>
    signed(parts, { nameId: "admin@example.com<?x y?>.evil.example" }),
  "CDATA in the NameID": (parts) => signed(parts).replace("mallory@", "<![CDATA[mallory@]]>"),
  "an element in the NameID": (parts) => signed(parts, { nameId: "admin@example.com<b>x</b>" }),
  "two NameIDs": (parts) => {
    const xml = assertionOf(parts);
    const [nameId] = /<saml:NameID[\s\S]*<\/saml:NameID>/.exec(xml)!;
    return sign(parts, responseOf(parts, xml.replace(nameId, nameId + nameId.replace("mallory", "admin"))));
  },
  "two subjects": (parts) => {
    const [subject] = /<saml:Subject>[\s\S]*<\/saml:Subject>/.exec(assertionOf(parts))!;
    return signed(parts, { subject: subject + subject });
  },
  "no subject": (parts) => signed(parts, { subject: "" }),
  "an empty NameID": (parts) => signed(parts, { nameId: "" }),
  "a NameID of blanks": (parts) => signed(parts, { nameId: " \n " }),
  "a NameID that is no address": (parts) => signed(parts, { nameId: "mallory" }),
  "a persistent NameID": (parts) =>
    signed(parts, { format: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent" }),
  "an address with two @": (parts) => signed(parts, { nameId: "admin@evil.example@example.com" }),
  "an address with a line break": (parts) => signed(parts, { nameId: "admin@evil.example&#10;@example.com" }),
  "an address outside the domains": (parts) => signed(parts, { nameId: "mallory@evil.example" }),
  "an address of a subdomain": (parts) => signed(parts, { nameId: "mallory@sub.example.com" }),
  "an address whose domain only ends as ours": (parts) =>
    signed(parts, { nameId: "mallory@evilexample.com" }),
  "an address that becomes ours in lower case": (parts) =>
    signed(parts, { nameId: "mallory@e\u{212A}ample.com" }),
  "an address in Cyrillic look-alikes": (parts) => signed(parts, { nameId: "mallory@exаmple.com" }),
  "an encrypted NameID": (parts) => signed(parts, { more: "<saml:EncryptedID>x</saml:EncryptedID>" }),
  "an encrypted assertion": (parts) =>
    responseOf(parts, "<saml:EncryptedAssertion>x</saml:EncryptedAssertion>"),
  "a name that is said twice": (parts) =>
    signed(parts, { attributes: attribute("first_name", "Ada") + attribute("first_name", "Eve") }),

  // What a parser should never see
  "a DTD": (parts) => doctype("") + signed(parts),
  "an entity in the NameID": (parts) =>
    doctype('<!ENTITY who "admin">') + signed(parts).replace("mallory@", "&who;@"),
  "an external entity": (parts) =>
    doctype('<!ENTITY x SYSTEM "file:///etc/passwd">') + signed(parts).replace("mallory@", "&x;@"),
  "an external DTD": (parts) => `<!DOCTYPE r SYSTEM "http://evil.example/x.dtd">${signed(parts)}`,
  "a bomb of entities": (parts) => {
    const levels = "bcdefghij".split("").map((name, index) => {
      const below = `&${"abcdefghij"[index]};`.repeat(10);
      return `<!ENTITY ${name} "${below}">`;
    });
    return doctype(`<!ENTITY a "aaaaaaaaaa">${levels.join("")}`) + signed(parts).replace("mallory@", "&j;@");
  },
  "an entity without a DTD": (parts) => signed(parts).replace("mallory@", "&who;@"),
  "elements nested a thousand deep": (parts) =>
    signed(parts).replace("</samlp:Response>", `${"<a>".repeat(1000)}${"</a>".repeat(1000)}$&`),
  "ten thousand elements": (parts) =>
    signed(parts).replace("</samlp:Response>", `${"<a/>".repeat(10_000)}$&`),
  "a document of a megabyte": (parts) =>
    signed(parts).replace("</samlp:Response>", `<a>${"x".repeat(1_000_000)}</a>$&`),
  "a document that is cut off": (parts) => signed(parts).slice(0, -20),
  "two documents in one": (parts) => signed(parts) + signed(parts),
  "text after the document": (parts) => `${signed(parts)}x`,
  "no XML": () => "nonsense",
  HTML: () => "<html><body>Sign in</body></html>",
  "an encoding that is not UTF-8": (parts) => `<?xml version="1.0" encoding="UTF-7"?>${signed(parts)}`,
  "NUL characters": (parts) => signed(parts).replace("mallory@", "mallory\0@"),
  "a request in the place of a response": (parts) =>
    signed(parts).replaceAll("samlp:Response", "samlp:AuthnRequest"),
  "a response of another namespace": (parts) =>
    signed(parts).replaceAll("urn:oasis:names:tc:SAML:2.0:protocol", "urn:evil"),
  "a response in a response": (parts) => responseOf(parts, signed(parts), { responseId: "_outer" }),
};
