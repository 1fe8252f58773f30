import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** Whether an IP address, in any spelling, may be reached. */
export type AddressRule = (address: string) => boolean;

/** Public by number, but responding with the secrets of the machine that asks. */
const METADATA = new Set(["168.63.129.16"]);
const GLOBAL_V6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];
const NAT64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("64:ff9b::"), 96];

/**
 * Public unicast addresses may be reached, and those in the allowed CIDRs. Refused are loopback, private,
 * link-local, shared, multicast, documentation, benchmark and reserved ranges, cloud metadata, and all of
 * these inside an IPv6 address. Throws at a CIDR that is none.
 */
export function createAddressRule(allow: readonly string[]): AddressRule {
  const allowed = allow.map((cidr) => parseRange(cidr));
  return (text) => {
    if (!ipaddr.isValid(text)) return false;
    const address = plain(ipaddr.parse(text));
    return allowed.some((range) => inRange(address, range)) || isPublic(address);
  };
}

/** Whether the text is an address, or a range of them in CIDR notation. */
export function isAddressRange(text: string): boolean {
  try {
    return Boolean(parseRange(text));
  } catch {
    return false;
  }
}

function parseRange(text: string): [Address, number] {
  try {
    if (text.includes("/")) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  } catch {
    throw new Error(`"${text}" is not a range of addresses such as 10.0.0.0/8`);
  }
}

function inRange(address: Address, [base, bits]: [Address, number]): boolean {
  return address.kind() === base.kind() && address.match(base, bits);
}

/** An IPv4-mapped address is the IPv4 address itself. */
function plain(address: Address): Address {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

function isPublic(address: Address): boolean {
  if (address instanceof ipaddr.IPv4)
    return address.range() === "unicast" && !METADATA.has(address.toString());
  if (address.match(NAT64)) return isPublic(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return address.match(GLOBAL_V6) && address.range() === "unicast";
}
