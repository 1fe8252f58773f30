import type { Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";

/**
 * Returns how to stop a server that does not listen yet: it takes no new connections, the running requests end, and
 * each connection is let go as soon as its responses are sent. `server.close` knows connections only as busy or idle: it
 * waits a minute for those that callers keep, while they may ask again, and cuts a response that is written but not sent.
 */
export function drainable(server: Server): () => Promise<void> {
  const inProgress = new Map<Socket, Set<ServerResponse>>();
  let draining = false;

  const letGo = (socket: Socket) => {
    if (draining && inProgress.get(socket)?.size === 0) socket.destroySoon();
  };
  server.on("connection", (socket: Socket) => {
    inProgress.set(socket, new Set());
    socket.once("close", () => inProgress.delete(socket));
  });
  server.prependListener("request", ({ socket }, res) => {
    inProgress.get(socket)?.add(res);
    if (draining) res.shouldKeepAlive = false;
    res.once("close", () => {
      inProgress.get(socket)?.delete(res);
      letGo(socket);
    });
  });

  return async () => {
    draining = true;
    const closed = new Promise<void>((resolve) => {
      NetServer.prototype.close.call(server, () => resolve());
    });
    for (const [socket, responses] of inProgress) {
      for (const res of responses) if (!res.headersSent) res.shouldKeepAlive = false;
      letGo(socket);
    }
    await closed;
  };
}
