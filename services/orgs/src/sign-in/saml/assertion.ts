import { ASSERTION, attribute, childrenByName, only, parseXml, refuseResponse, textOf } from "./xml.js";

/** Who signed in, as a verified assertion says. */
export interface Claims {
  assertion: string;
  /** In lower case. */
  email: string;
  displayName: string;
  /** ISO time until which the assertion could be shown again. */
  expires: string;
}

interface Expected {
  audience: string;
  recipient: string;
  request: string;
  issuer: string;
  now: Date;
}

/** How far the clocks of the two sides may be apart. */
export const SKEW_MS = 30_000;
const BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer";
const EMAIL_FORMATS = [
  "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
  "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified",
];
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;
/** ASCII alone: letters of other scripts may turn into ASCII in lower case. */
const EMAIL = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,253}$/;
const LONGEST_NAME = 64;

/** Reads an assertion from the very bytes that were signed, and holds it against what is expected. */
export function readClaims(verified: string, expected: Expected): Claims {
  const assertion = parseXml(verified)[0]!;
  if (assertion.localName !== "Assertion" || assertion.namespaceURI !== ASSERTION)
    refuseResponse("holds no assertion");
  if (textOf(only(assertion, "Issuer")) !== expected.issuer)
    refuseResponse("comes from another identity provider");
  const id = attribute(assertion, "ID");
  if (!id) refuseResponse("its assertion has no id");
  const subject = only(assertion, "Subject");
  const email = emailOf(only(subject, "NameID"));
  const confirmed = confirmedUntil(subject, expected);
  const valid = validUntil(only(assertion, "Conditions"), expected);
  checkSession(childrenByName(assertion, "AuthnStatement"), expected);
  const names = attributesOf(assertion);
  const displayName = nameOf(names, email);
  const expires = new Date(Math.max(confirmed, valid) + SKEW_MS).toISOString();
  return { assertion: id, email, displayName, expires };
}

function emailOf(nameId: Element): string {
  const format = attribute(nameId, "Format");
  if (format !== undefined && !EMAIL_FORMATS.includes(format))
    refuseResponse("its NameID has to be an e-mail address");
  const email = textOf(nameId);
  if (!EMAIL.test(email)) refuseResponse("its NameID has to be an e-mail address");
  return email.toLowerCase();
}

/** Until when one of the confirmations holds; refused when none is meant for this request and this place. */
function confirmedUntil(subject: Element, { recipient, request, now }: Expected): number {
  const held = childrenByName(subject, "SubjectConfirmation").flatMap((confirmation) => {
    const [data, more] = childrenByName(confirmation, "SubjectConfirmationData");
    if (attribute(confirmation, "Method") !== BEARER || !data || more) return [];
    if (attribute(data, "Recipient") !== recipient) return [];
    if (attribute(data, "InResponseTo") !== request) return [];
    const until = timeOf(data, "NotOnOrAfter");
    return until !== undefined && isWithin(timeOf(data, "NotBefore"), until, now) ? [until] : [];
  });
  if (held.length === 0) refuseResponse("confirms nobody for this request, this place and this time");
  return Math.max(...held);
}

function validUntil(conditions: Element, { audience, now }: Expected): number {
  const until = timeOf(conditions, "NotOnOrAfter");
  if (until === undefined) refuseResponse("does not say until when it is valid");
  if (!isWithin(timeOf(conditions, "NotBefore"), until, now)) refuseResponse("is not valid at this time");
  const restrictions = childrenByName(conditions, "AudienceRestriction");
  const meant = restrictions.every((restriction) =>
    childrenByName(restriction, "Audience").some((one) => textOf(one) === audience),
  );
  if (restrictions.length === 0 || !meant) refuseResponse("is meant for another audience");
  return until;
}

function checkSession(statements: Element[], { now }: Expected): void {
  if (statements.length === 0) refuseResponse("does not say that somebody signed in");
  for (const statement of statements) {
    const until = timeOf(statement, "SessionNotOnOrAfter");
    if (until !== undefined && !isWithin(undefined, until, now)) refuseResponse("its session is over");
  }
}

function isWithin(from: number | undefined, until: number, now: Date): boolean {
  const time = now.getTime();
  return (from === undefined || from <= time + SKEW_MS) && time < until + SKEW_MS;
}

function timeOf(element: Element, name: string): number | undefined {
  const text = attribute(element, name);
  if (text === undefined) return;
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) refuseResponse(`its ${name} is not a time`);
  return time;
}

function attributesOf(assertion: Element): Map<string, string> {
  const found = new Map<string, string>();
  for (const statement of childrenByName(assertion, "AttributeStatement")) {
    for (const one of childrenByName(statement, "Attribute")) {
      const name = attribute(one, "Name") ?? "";
      const [value] = childrenByName(one, "AttributeValue");
      if (name !== "first_name" && name !== "last_name") continue;
      if (found.has(name)) refuseResponse(`says ${name} twice`);
      if (value) found.set(name, textOf(value));
    }
  }
  return found;
}

/** First and last name, else what stands before the @. */
function nameOf(names: Map<string, string>, email: string): string {
  const full = [names.get("first_name"), names.get("last_name")].filter(Boolean).join(" ");
  const clean = full.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return [...(clean || email.split("@")[0]!)].slice(0, LONGEST_NAME).join("");
}
