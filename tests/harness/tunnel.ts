import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Delivery {
  path: string;
  event: { type: string; eventId: string; [field: string]: unknown };
  environment: Record<string, unknown>;
}

export interface Tunnel {
  url: string;
  /** What arrived, also what got no response. */
  received: Delivery[];
  /** The ids of the events that got a response, as often as they did. */
  answered: string[];
  /** Leaves what arrives unanswered until the returned function is called. */
  hold(): () => void;
  close(): Promise<void>;
}

/** A development tunnel: takes the events of an integration as its runtime would. */
export async function openTunnel(): Promise<Tunnel> {
  const received: Delivery[] = [];
  const answered: string[] = [];
  let held: Promise<void> | undefined;
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
    const headers = { "content-type": req.headers["content-type"] ?? "" };
    const form = await new Response(new Uint8Array(Buffer.concat(chunks)), { headers }).formData();
    const field = (name: string) => JSON.parse(form.get(name) as string);
    const event: Delivery["event"] = field("event");
    received.push({ path: req.url!, event, environment: field("environment") });
    await held;
    if (res.destroyed) return;
    answered.push(event.eventId);
    res.end("OK");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answered,
    hold: () => {
      let release = () => {};
      held = new Promise<void>((done) => (release = done));
      return () => {
        held = undefined;
        release();
      };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
