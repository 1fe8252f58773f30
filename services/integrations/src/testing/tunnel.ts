import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { listen, shut } from "./listening.js";

export interface Delivery {
  method: string;
  contentType: string;
  signature: string;
  /** The one that names its time. */
  timed: string;
  raw: Buffer;
  /** The names of the fields, in their order. */
  fields: string[];
  event: { eventId: string; type: string } & Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever a script could read
  environment: any;
}

/** A development tunnel: a real HTTP server that reads events as a script's runtime does, and responds as a test sets. */
export async function startTunnel() {
  const deliveries: Delivery[] = [];
  const response = { status: 200, body: "OK", waitMs: 0 };
  const server = createServer(async (req, res) => {
    try {
      deliveries.push(await read(req));
    } catch (error) {
      res.writeHead(400).end(String(error));
      return;
    }
    const reply = () => res.writeHead(response.status, { location: "/elsewhere" }).end(response.body);
    setTimeout(reply, response.waitMs).unref();
  });
  const address = await listen(server);
  return { url: `${address}/v1`, deliveries, response, end: () => shut(server) };
}

async function read(req: IncomingMessage): Promise<Delivery> {
  const chunks: Buffer[] = [];
  for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
  const raw = Buffer.concat(chunks);
  const contentType = req.headers["content-type"] ?? "";
  const form = await new Response(raw, { headers: { "content-type": contentType } }).formData();
  return {
    method: req.method ?? "",
    contentType,
    signature: String(req.headers["x-integration-signature"]),
    timed: String(req.headers["x-octavo-signature"]),
    raw,
    fields: [...form.keys()],
    event: JSON.parse(String(form.get("event"))),
    environment: JSON.parse(String(form.get("environment"))),
  };
}

/** What the signature of a delivery has to be, as a script computes it. */
export const signatureOf = ({ raw, environment }: Delivery): string =>
  createHmac("sha256", environment.signingSecrets.integration).update(raw).digest("hex");

/** The same for the signature that names its time. */
export function timedSignatureOf({ raw, environment, timed }: Delivery): string {
  const time = /^t=(\d+),/.exec(timed)?.[1] ?? "";
  const sum = createHmac("sha256", environment.signingSecrets.integration).update(`${time}.`).update(raw);
  return `t=${time},v1=${sum.digest("hex")}`;
}
