import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** Writes the words of a segment in capitals, and leaves its tags and entities alone. */
export const shout = (segment: string) =>
  segment.replace(/<[^>]*>|&\w+;|[^<&]+/g, (part) => (/^[<&]/.test(part) ? part : part.toUpperCase()));

/** What a provider was sent. */
export interface Received {
  path: string;
  headers: IncomingMessage["headers"];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
}

type Reply = { status?: number; headers?: Record<string, string>; body: unknown };

async function serve(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.closeAllConnections();
    return new Promise((closed) => server.close(closed));
  };
  return { url, close };
}

/** A server that takes JSON, and responds as `reply` says. */
async function jsonServer(reply: (received: Received) => Reply) {
  const requests: Received[] = [];
  const server = await serve(async (req, res) => {
    const body = JSON.parse(await text(req));
    const received = { path: req.url!, headers: req.headers, body };
    requests.push(received);
    const { status = 200, headers, body: response } = reply(received);
    res.writeHead(status, { "content-type": "application/json", ...headers });
    res.end(typeof response === "string" ? response : JSON.stringify(response));
  });
  return { ...server, requests };
}

/**
 * A server that takes requests and comes to no end: it says nothing, drips a byte at a time, or sends as fast as it can.
 * It counts requests, and those that their senders have given up.
 */
export async function endlessServer(way: "silent" | "dripping" | "flooding") {
  const counts = { requests: 0, ended: 0 };
  async function* pieces() {
    const piece = way === "dripping" ? " " : " ".repeat(1024 * 1024);
    for (;;) {
      yield piece;
      await sleep(way === "dripping" ? 5 : 0);
    }
  }
  const server = await serve((req, res) => {
    counts.requests += 1;
    res.once("close", () => (counts.ended += 1));
    req.resume();
    if (way !== "silent") pipeline(Readable.from(pieces()), res).catch(() => undefined);
  });
  return { ...server, counts };
}

/** A server that speaks the chat completions of OpenAI, and writes all texts in capitals unless a test has another idea. */
export async function openAIServer() {
  const behaviour: { translate: (texts: string[]) => unknown; failures: Reply[] } = {
    translate: (texts) => texts.map(shout),
    failures: [],
  };
  const server = await jsonServer(({ path, body }) => {
    const failure = behaviour.failures.shift();
    if (failure) return failure;
    if (path !== "/v1/chat/completions" || body.messages?.length !== 2) return { status: 404, body: {} };
    const { texts } = JSON.parse(body.messages[1].content);
    const content = JSON.stringify({ translations: behaviour.translate(texts) });
    return { body: { choices: [{ index: 0, message: { role: "assistant", content } }] } };
  });
  /** All texts that were sent, in their order. */
  const texts = () =>
    server.requests.flatMap(({ body }): string[] => JSON.parse(body.messages[1].content).texts);
  return { ...server, url: `${server.url}/v1`, behaviour, texts };
}

/** A server that speaks as LibreTranslate does, and writes all texts in capitals. */
export const libreTranslateServer = () =>
  jsonServer(({ path, body }) => {
    if (path !== "/translate" || body.format !== "html" || !Array.isArray(body.q))
      return { status: 400, body: {} };
    if (body.api_key !== "secret") return { status: 403, body: { error: "Invalid API key" } };
    // As parsers of HTML do, it writes tags that stand alone as a pair.
    const pairs = (text: string) => text.replace(/<(x\d+)\/>/g, "<$1></$1>");
    return { body: { translatedText: body.q.map((text: string) => pairs(shout(text))) } };
  });
