import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { networkOf } from "./limits.js";

/** Requests that one connection may have sent ahead without a response. */
const MOST_AHEAD = 100;

/**
 * Closes connections that an address opens beyond so many, and one on which more requests wait than any client sends
 * ahead: each of them holds memory, whatever it asks.
 */
export function limitConnections(server: Server, perAddress: number): void {
  const open = new Map<string, number>();
  const waiting = new WeakMap<Socket, number>();

  server.on("connection", (socket: Socket) => {
    const network = networkOf((socket.remoteAddress ?? "").replace(/^::ffff:/, ""));
    const count = (open.get(network) ?? 0) + 1;
    if (count > perAddress) return void socket.destroy();
    open.set(network, count);
    socket.once("close", () => {
      const left = open.get(network)! - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
  server.prependListener("request", ({ socket }: IncomingMessage, res: ServerResponse) => {
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    if (count > MOST_AHEAD) return void socket.destroy();
    res.once("close", () => waiting.set(socket, waiting.get(socket)! - 1));
  });
}
