import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { TraceLog } from "../schemas/event.js";
import { modulesOf } from "./dispatcher.js";
import { logsOf, Traces } from "./logs.js";
import type { Script } from "./runtime.js";

/** Bytes of what a process reports about a few events. */
const MOST_TRACES = 4 * 1024 * 1024;

interface HostOptions {
  /** Where it listens. */
  socket: string;
  script: (key: string) => Script | undefined;
  onLogs: (delivery: string, logs: TraceLog[]) => void;
  outbound: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
}

/** What one process may ask of us: its scripts, the way out, and to keep what scripts logged. */
export async function startHost({ socket, script, onLogs, outbound }: HostOptions) {
  // The requests of scripts name no host of ours.
  const server = createServer({ requireHostHeader: false }, (req, res) => {
    handle(req, res).catch(() => (res.headersSent ? res.destroy() : res.writeHead(500).end()));
  });
  // A connection that ended here while the next request of a script is on its way would fail that request.
  server.keepAliveTimeout = 0;
  server.listen(socket);
  await once(server, "listening");

  async function handle(req: IncomingMessage, res: ServerResponse) {
    const path = req.url ?? "";
    if (path === "/outbound") return outbound(req, res);
    if (path === "/logs") {
      for (const trace of Traces.parse(JSON.parse(await textOf(req))))
        if (trace.delivery) onLogs(trace.delivery, logsOf(trace));
      return void res.writeHead(204).end();
    }
    const wanted = path.startsWith("/scripts/") ? script(path.slice("/scripts/".length)) : undefined;
    if (!wanted) return void res.writeHead(404).end();
    const modules = modulesOf(wanted.generation, await wanted.source());
    res.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(modules));
  }

  return {
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function textOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_TRACES) throw new Error("too many logs");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
