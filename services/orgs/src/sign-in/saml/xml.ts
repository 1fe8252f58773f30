import { refuse } from "@octavo/shared/errors";
import { DOMParser } from "@xmldom/xmldom";

export const ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion";
export const PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol";
export const SIGNATURE = "http://www.w3.org/2000/09/xmldsig#";

const MOST_ELEMENTS = 2_000;
const DEEPEST = 40;
const DECLARATION =
  /^<\?xml\s+version\s*=\s*["']1\.0["'](\s+encoding\s*=\s*["']utf-8["'])?(\s+standalone\s*=\s*["'](yes|no)["'])?\s*\?>/i;
/** Any reference besides the five of XML itself and numbers could only come from a DTD. */
const FOREIGN_REFERENCE = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

/** Ends a sign-in that cannot be trusted. What the document says about a person is never part of the message. */
export function refuseResponse(what: string, reason = "saml_refused"): never {
  refuse(reason === "saml_malformed" ? "BAD_REQUEST" : "FORBIDDEN", `SAMLResponse: ${what}`, { reason });
}

/**
 * The elements of a document in their order, the root first. Everything that two readers could take differently is
 * refused before it is parsed: DTDs, entities, comments, CDATA, processing instructions, other encodings than UTF-8.
 */
export function parseXml(xml: string): Element[] {
  const text = xml.replace(DECLARATION, "");
  if (text.includes("<!") || text.includes("<?") || FOREIGN_REFERENCE.test(text))
    malformed("must not hold DTDs, entities, comments, CDATA or processing instructions");
  if (!/^\s*<[\s\S]*>\s*$/.test(text)) malformed("is not one XML document");
  if (CONTROL.test(text)) malformed("holds characters that XML does not allow");
  if (text.split("<").length > 2 * MOST_ELEMENTS) malformed(`holds more than ${MOST_ELEMENTS} elements`);
  const roots = childrenOf(parse(xml));
  if (roots.length !== 1) malformed("is not one XML document");
  return walk(roots[0]!);
}

function parse(xml: string): Document {
  const failed = () => {
    throw new Error("Not well-formed");
  };
  const errorHandler = { warning: failed, error: failed, fatalError: failed };
  try {
    return new DOMParser({ errorHandler }).parseFromString(xml, "text/xml");
  } catch {
    malformed("is not well-formed XML");
  }
}

function walk(root: Element): Element[] {
  const found: Element[] = [];
  const waiting: [Element, number][] = [[root, 1]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [element, depth] = next;
    if (depth > DEEPEST) malformed(`is nested deeper than ${DEEPEST} levels`);
    found.push(element);
    for (const child of childrenOf(element).reverse()) waiting.push([child, depth + 1]);
  }
  return found;
}

export function childrenOf(node: Node): Element[] {
  return Array.from(node.childNodes).filter((child): child is Element => child.nodeType === 1);
}

/** The children of an element with a name, in the namespace of assertions by default. */
export const childrenByName = (parent: Node, name: string, namespace = ASSERTION): Element[] =>
  childrenOf(parent).filter((child) => child.localName === name && child.namespaceURI === namespace);

/** The one child with a name; refused when there is none or more. */
export function only(parent: Element, name: string, namespace = ASSERTION): Element {
  const found = childrenByName(parent, name, namespace);
  if (found.length !== 1) refuseResponse(`needs exactly one ${name}`);
  return found[0]!;
}

/** The text of an element that holds nothing else. */
export function textOf(element: Element): string {
  if (childrenOf(element).length > 0) refuseResponse(`its ${element.localName} must hold text alone`);
  return (element.textContent ?? "").trim();
}

/** An attribute, or undefined when it is not there. */
export const attribute = (element: Element, name: string): string | undefined =>
  element.hasAttribute(name) ? element.getAttribute(name)! : undefined;

function malformed(what: string): never {
  refuseResponse(what, "saml_malformed");
}
