/** Three labels at least, as clients of the interface expect, the last of them no number: an address is no name. */
export const HOSTNAME =
  /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?[.]){2,}(?=[a-z])[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;

/** Names that no DNS serves to everybody (RFC 6761, RFC 6762, RFC 7686 and the like). */
const SPECIAL = ["localhost", "local", "internal", "invalid", "onion", "arpa"];

/** Whether a name is one of these, or below one. */
export const isWithin = (names: readonly string[], name: string): boolean =>
  names.some((one) => name === one || name.endsWith(`.${one}`));

/** Whether no DNS serves a name to everybody, so that it is nobody's. */
export const isSpecialName = (name: string): boolean => isWithin(SPECIAL, name);
