import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { type IncomingHttpHeaders, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Caller } from "../contracts/callers.js";
import { createSigner, createVerifier, IDENTITY_HEADER } from "../identity.js";

export interface TestResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The parsed body, when it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
}

export interface Sent {
  /** An object travels as JSON, a string or bytes as they are, several chunks without a content-length. */
  body?: object | string | Buffer | Buffer[];
  headers?: Record<string, string>;
}

/** Keys of a signer called `kid`, and the verifier that trusts it. */
export function testKeys(kid: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const signer = createSigner({ ...privateKey.export({ format: "jwk" }), kid } as never);
  const verifier = createVerifier({ keys: [{ ...publicKey.export({ format: "jwk" }), kid } as never] });
  return { signer, verifier, sign: (caller: Caller) => signer.sign(caller) };
}

/** Listens on a free port; `send` puts the path on the wire as it is written. */
export async function listen(server: Server, identity?: string) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  async function send(method: string, path: string, { body, headers }: Sent = {}): Promise<TestResponse> {
    const json = typeof body === "object" && !Buffer.isBuffer(body) && !Array.isArray(body);
    const req = request({
      port,
      method,
      path,
      headers: {
        ...(identity && { [IDENTITY_HEADER]: identity }),
        ...(json && { "content-type": "application/json" }),
        ...headers,
      },
    });
    if (Array.isArray(body)) {
      for (const chunk of body) req.write(chunk);
      req.end();
    } else req.end(json ? JSON.stringify(body) : body);
    const [res] = await once(req, "response");
    const received = await text(res);
    const parsed =
      /json/.test(res.headers["content-type"] ?? "") && received ? JSON.parse(received) : undefined;
    return { status: res.statusCode, headers: res.headers, text: received, body: parsed };
  }

  return {
    port,
    url: `http://127.0.0.1:${port}`,
    send,
    close: () =>
      new Promise((closed) => {
        server.close(closed);
        server.closeAllConnections();
      }),
  };
}
