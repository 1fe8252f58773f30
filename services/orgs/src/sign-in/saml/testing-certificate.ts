import { createSign, generateKeyPairSync } from "node:crypto";

// The least of an X.509 certificate that signs itself, in DER; Node reads certificates but makes none.

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const SHA256_RSA = sequence(der(0x06, Buffer.from("2a864886f70d01010b", "hex")), der(0x05));
const COMMON_NAME = der(0x06, Buffer.from("550403", "hex"));

/** A key with a certificate of its own, both as PEM. */
export function newIdentity(name = "Test", bits = 2048) {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: bits });
  const subject = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(name)))));
  const time = (text: string) => der(0x17, Buffer.from(text));
  const body = sequence(
    der(0x02, Buffer.from([1])),
    SHA256_RSA,
    subject,
    sequence(time("200101000000Z"), time("491231235959Z")),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = createSign("sha256").update(body).sign(privateKey);
  const bytes = sequence(body, SHA256_RSA, der(0x03, Buffer.from([0]), signature));
  const lines = bytes.toString("base64").match(/.{1,64}/g)!;
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
  };
}
export type Identity = ReturnType<typeof newIdentity>;
