import { X509Certificate } from "node:crypto";

const PEM = /^-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const SHORTEST_KEY = 2048;

/**
 * The PEM of a certificate given as PEM or as the base64 of its DER, as identity providers show it. Throws an error
 * that says what is wrong with it.
 */
export function readCertificate(text: string): string {
  const trimmed = text.trim();
  if (trimmed.includes("PRIVATE KEY")) throw new Error("is a private key; only the certificate is wanted");
  const body = (PEM.exec(trimmed)?.[1] ?? trimmed).replace(/\s+/g, "");
  if (!BASE64.test(body)) throw new Error("must be one X.509 certificate, as PEM or base64");
  const { publicKey } = parse(body);
  const { modulusLength = 0 } = publicKey.asymmetricKeyDetails ?? {};
  if (publicKey.asymmetricKeyType !== "rsa" || modulusLength < SHORTEST_KEY)
    throw new Error(`must hold an RSA key of at least ${SHORTEST_KEY} bits`);
  return `-----BEGIN CERTIFICATE-----\n${body.match(/.{1,64}/g)!.join("\n")}\n-----END CERTIFICATE-----\n`;
}

function parse(body: string): X509Certificate {
  try {
    const bytes = Buffer.from(body, "base64");
    const certificate = new X509Certificate(bytes);
    if (certificate.raw.length !== bytes.length) throw new Error("There is more than one");
    return certificate;
  } catch {
    throw new Error("must be one X.509 certificate, as PEM or base64");
  }
}
