import { expect, test } from "vitest";
import { createAddressRule } from "./address.js";
import { createEgress } from "./client.js";

const hostile = {
  "0.0.0.0": "unspecified",
  "0.1.2.3": "this network",
  "10.1.2.3": "private",
  "172.16.0.1": "private",
  "172.31.255.255": "private",
  "192.168.1.1": "private",
  "127.0.0.1": "loopback",
  "127.255.255.254": "loopback",
  "169.254.169.254": "metadata",
  "100.100.100.200": "metadata in shared space",
  "168.63.129.16": "metadata, public by number",
  "100.64.0.1": "carrier-grade NAT",
  "192.0.0.192": "metadata in protocol space",
  "192.0.2.1": "documentation",
  "198.18.0.1": "benchmark",
  "198.51.100.1": "documentation",
  "203.0.113.1": "documentation",
  "224.0.0.1": "multicast",
  "239.255.255.255": "multicast",
  "240.0.0.1": "reserved",
  "255.255.255.255": "broadcast",
  "::": "unspecified",
  "::1": "loopback",
  "fe80::1": "link-local",
  "fe80::1%eth0": "link-local with a zone",
  "fec0::1": "site-local",
  "fc00::1": "unique local",
  "fd00:ec2::254": "metadata",
  "ff02::1": "multicast",
  "::ffff:127.0.0.1": "mapped loopback",
  "::ffff:a9fe:a9fe": "mapped metadata",
  "0:0:0:0:0:ffff:7f00:1": "mapped loopback, long form",
  "::127.0.0.1": "compatible loopback",
  "::7f00:1": "compatible loopback in hex",
  "::ffff:0:127.0.0.1": "translated loopback",
  "2002:7f00:1::": "6to4 loopback",
  "2002:808:808::": "6to4 at all",
  "64:ff9b::127.0.0.1": "NAT64 loopback",
  "64:ff9b::a9fe:a9fe": "NAT64 metadata",
  "64:ff9b:1::1": "local NAT64",
  "2001::1": "Teredo",
  "2001:db8::1": "documentation",
  "100::1": "discard",
  "not an address": "nonsense",
  "": "nonsense",
};

test.each(Object.entries(hostile))("%s is refused: %s", (address) => {
  expect(createAddressRule([])(address)).toBe(false);
});

test.each([
  "8.8.8.8",
  "93.184.216.34",
  "2606:4700::1111",
  "::ffff:8.8.8.8",
  "64:ff9b::8.8.8.8",
  "172.32.0.1",
])("%s is public", (address) => expect(createAddressRule([])(address)).toBe(true));

test("an allowed range opens itself, mapped spellings included, and nothing beside it", () => {
  const rule = createAddressRule(["127.0.0.0/8", "fd00::/16", "10.0.0.7"]);
  for (const address of ["127.0.0.1", "127.9.9.9", "::ffff:127.0.0.1", "fd00::5", "10.0.0.7", "8.8.8.8"]) {
    expect(rule(address), address).toBe(true);
  }
  for (const address of ["10.0.0.8", "::1", "fd01::5", "169.254.169.254", "64:ff9b::127.0.0.1", "::7f00:1"]) {
    expect(rule(address), address).toBe(false);
  }
});

test("a range that is none is refused at the start", () => {
  expect(() => createAddressRule(["10.0.0.0/99"])).toThrow("10.0.0.0/99");
  expect(() => createAddressRule(["localhost"])).toThrow("localhost");
});

const spellings = [
  "http://127.0.0.1/",
  "http://127.1/",
  "http://127.0.0.1./",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://0x7f.1/",
  "http://0177.0.0.1/",
  "http://017700000001/",
  "http://0/",
  "http://0.0.0.0/",
  "http://①②⑦.⓪.⓪.①/",
  "http://127。0。0。1/",
  "http://%31%32%37.0.0.1/",
  "http://[::1]/",
  "http://[::]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:7f00:1]/",
  "http://[0:0:0:0:0:ffff:127.0.0.1]/",
  "http://[64:ff9b::7f00:1]/",
  "http://user:pass@127.0.0.1/",
  "http://example.org@127.0.0.1/",
  "http:\\\\127.0.0.1\\",
  "http:127.0.0.1",
  "  http://127.0.0.1/  ",
  "http://localhost/",
  "http://LOCALHOST/",
  "https://169.254.169.254/latest/meta-data",
  "http://10.0.0.1:8080/",
  "ftp://8.8.8.8/",
  "file:///etc/passwd",
  "gopher://8.8.8.8/",
  "data:text/plain,hello",
  "git://8.8.8.8/x",
  "//8.8.8.8/",
  "8.8.8.8",
  "http://",
  "",
];

test.each(spellings)("resolve(%j) is refused", async (address) => {
  await expect(createEgress().resolve(address)).rejects.toMatchObject({ reason: "egress_refused" });
});

test.each(["+example.com", "-example.com", "a.-b.com", "*", "a,b", "a..b", `${"a".repeat(64)}.com`])(
  "a host called %j is refused before any name server is queried",
  async (host) => {
    let lookups = 0;
    const lookup = async () => {
      lookups += 1;
      return [{ address: "93.184.215.14", family: 4 }];
    };
    const egress = createEgress({ lookup });
    await expect(egress.resolve(`http://${host}:80/`)).rejects.toMatchObject({ reason: "egress_refused" });
    expect(lookups).toBe(0);
    for (const known of ["example.com", "EXAMPLE.com", "my_host.a-b.internal", "xn--4ca.de", "host."])
      await expect(egress.resolve(`http://${known}/`)).resolves.toMatchObject({ family: 4 });
  },
);

test("a host that does not exist and one that is private are refused in the same words", async () => {
  const private_ = createEgress({ lookup: async () => [{ address: "10.0.0.1", family: 4 }] });
  const nobody = createEgress({ lookup: async () => Promise.reject(new Error("ENOTFOUND")) });
  const errors = await Promise.all(
    [private_, nobody].flatMap((egress) =>
      ["resolve", "fetch"].map((way) =>
        egress[way as "resolve" | "fetch"]("http://db.internal/").catch((error: unknown) => error),
      ),
    ),
  );
  for (const error of errors) expect(error).toMatchObject({ reason: "egress_refused" });
  expect(new Set(errors.map((error) => (error as Error).message)).size).toBe(1);
});

test("resolve() gives git the classified address and no credentials", async () => {
  const egress = createEgress({ allow: ["127.0.0.0/8"] });
  const target = await egress.resolve("http://ada:secret@127.1:8123/repo.git");
  expect(target).toMatchObject({ address: "127.0.0.1", family: 4 });
  expect(target.url.href).toBe("http://127.0.0.1:8123/repo.git");
  expect(await egress.resolve("http://localhost:8123/")).toMatchObject({ address: "127.0.0.1" });
});
