// What runs inside the process: our own small worker, which loads scripts, hands them events, and is their only way out.

/** The day whose behaviour scripts are promised. */
const SCRIPT_DATE = "2025-05-25";

/** What a script does after its response may take so long. */
export const AFTERWARDS_MS = 60_000;
/**
 * Scripts that a process keeps loaded. Each takes 2 to 3 MB, and the program gives none of them up while it runs; to load
 * one for a single event takes some 5 ms.
 */
const MOST_KEPT = 20;
/** Scripts of which a process remembers that they were used. */
const MOST_SEEN = 1_000;

/** The worker that all events come to. It never evaluates a script itself: each has an isolate of its own. */
const DISPATCHER = `import { WorkerEntrypoint } from "cloudflare:workers";

export class Outbound extends WorkerEntrypoint {
  async fetch(request) {
    const headers = new Headers(request.headers);
    headers.set("x-octavo-url", request.url);
    const { method, body } = request;
    const response = await this.env.HOST.fetch("http://host/outbound", { method, headers, body, redirect: "manual" });
    const refused = response.headers.get("x-octavo-refused");
    if (refused !== null) throw new TypeError("fetch failed: " + decodeURIComponent(refused));
    return response;
  }
}

export class Tail extends WorkerEntrypoint {
  async tail(items) {
    const traces = items.map(({ event, logs, exceptions, outcome }) => ({
      delivery: event?.request?.headers["x-octavo-delivery"],
      logs: logs.slice(0, 500),
      exceptions: exceptions.slice(0, 10),
      outcome,
    }));
    for (const { delivery } of traces) atWork.get(delivery)?.();
    await this.env.HOST.fetch("http://host/logs", { method: "POST", body: JSON.stringify(traces) });
  }
}

/** Events for which a script was loaded, with what lets go of it: it would end with its response. */
const atWork = new Map();

function holdUntilTheEnd(ctx, delivery) {
  const ended = new Promise((resolve) => atWork.set(delivery, resolve));
  ctx.waitUntil(Promise.race([ended, scheduler.wait(${AFTERWARDS_MS})]).finally(() => atWork.delete(delivery)));
}

/** Ends what a script does for an event that nobody waits for any longer, unless it handed that to waitUntil. */
async function inTime(request, respond) {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), Number(request.headers.get("x-octavo-timeout")));
  try {
    return await respond(late.signal);
  } finally {
    clearTimeout(timer);
  }
}

const seen = new Set();
const kept = new Set();

/** What is used again is kept while there is room; anything else is loaded for one event, and gone with it. */
function isKept(key) {
  if (seen.has(key) && kept.size < ${MOST_KEPT}) kept.add(key);
  seen.delete(key);
  seen.add(key);
  if (seen.size > ${MOST_SEEN}) seen.delete(seen.values().next().value);
  return kept.has(key);
}

const load = (env, ctx, key, isKept) =>
  env.LOADER.get(isKept ? key : null, async () => {
    const code = await env.HOST.fetch("http://host/scripts/" + key);
    const { mainModule, modules } = await code.json();
    return {
      compatibilityDate: "${SCRIPT_DATE}",
      compatibilityFlags: ["nodejs_compat"],
      mainModule,
      modules,
      env: {},
      globalOutbound: ctx.exports.Outbound({ props: {} }),
      tails: [ctx.exports.Tail({ props: {} })],
    };
  });

export default {
  async fetch(request, env, ctx) {
    if (new URL(request.url).pathname === "/ping") return new Response("pong");
    try {
      const key = request.headers.get("x-octavo-script");
      const keeps = isKept(key);
      if (!keeps) holdUntilTheEnd(ctx, request.headers.get("x-octavo-delivery"));
      const script = load(env, ctx, key, keeps);
      return await inTime(request, (signal) => script.getEntrypoint().fetch(request, { signal }));
    } catch (error) {
      const message = encodeURIComponent(String(error?.message ?? error).slice(0, 1000));
      return new Response("", { status: 500, headers: { "x-octavo-threw": message } });
    }
  },
};
`;

/** Turns a script that listens for \`fetch\` into a module. */
const LISTENER = `const listeners = [];
globalThis.addEventListener = (type, listener) => {
  if (type === "fetch") listeners.push(listener);
};
export default {
  async fetch(request, env, ctx) {
    let given;
    const event = {
      type: "fetch",
      request,
      respondWith: (response) => { given = response; },
      waitUntil: (work) => ctx.waitUntil(work),
      passThroughOnException: () => undefined,
    };
    for (const listener of listeners) {
      (typeof listener === "function" ? listener : listener.handleEvent).call(globalThis, event);
      if (given) return given;
    }
    return new Response(JSON.stringify({ error: "The script does not listen to events" }), { status: 406 });
  },
};
`;

const CONFIG = `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "dispatcher", worker = .dispatcher),
    (name = "host", external = (address = "unix:host.sock", http = ())),
    (name = "internet", network = (allow = [])),
  ],
  sockets = [(name = "events", address = "unix:events.sock", http = (), service = "dispatcher")],
);

const dispatcher :Workerd.Worker = (
  modules = [(name = "dispatcher.js", esModule = embed "dispatcher.js")],
  bindings = [
    (name = "LOADER", workerLoader = (id = "scripts")),
    (name = "HOST", service = "host"),
  ],
  compatibilityDate = "${SCRIPT_DATE}",
  compatibilityFlags = ["nodejs_compat", "enable_ctx_exports", "experimental"],
  globalOutbound = "internet",
);
`;

/** The files that a process starts from, by name. */
export const PROCESS_FILES = { "config.capnp": CONFIG, "dispatcher.js": DISPATCHER };

/** The modules of a script, as the process loads them. */
export function modulesOf(generation: "v1" | "v2", source: string) {
  if (generation === "v2") return { mainModule: "script.js", modules: { "script.js": source } };
  const main = 'import worker from "listener.js"; import "script.cjs"; export default worker;';
  return {
    mainModule: "main.js",
    modules: { "main.js": main, "listener.js": LISTENER, "script.cjs": { cjs: source } },
  };
}
