import { Agent, type IncomingMessage, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";
import { Agent as LightAgent } from "undici";
import { cpuOf } from "./processes.js";
import { type Line, median } from "./report.js";

/** What is loaded: addresses that all connections take in turns, and the processes whose CPU is counted by name. */
export interface Target {
  url: string;
  paths: string[];
  headers?: Record<string, string>;
  /** The tag of what a client has of a path already: it gets a 304 without a body. */
  tagOf?: (path: string) => string;
  processes: Processes;
}

/** The processes whose CPU is counted, by name; asked for at each run, since PostgreSQL's come and go. */
export type Processes = () => Record<string, number[]>;

/** What one run came to. */
export interface Run {
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Microseconds a request, by process. */
  cpu: Record<string, number>;
  /** Milliseconds of every request, ascending. */
  times: number[];
}

/** Reads the paths of a target in turns; the next run goes on where this one ends. Throws when a read is refused. */
export async function read(target: Target, connections: number, duration: number): Promise<Run> {
  const { url, paths, headers, tagOf, processes } = target;
  const setupRequest = (request: autocannon.Request) => {
    const path = paths.shift()!;
    paths.push(path);
    if (!tagOf) return { ...request, path };
    return { ...request, path, headers: { ...request.headers, "if-none-match": tagOf(path) } };
  };
  return counted(processes, async () => {
    const times: number[] = [];
    const setupClient = (client: autocannon.Client) =>
      void client.on("response", (_status, _bytes, ms) => times.push(ms));
    const requests = [{ setupRequest }];
    const result = await autocannon({ url, headers, connections, duration, requests, setupClient });
    const wanted = tagOf ? result["3xx"] : result["2xx"];
    const refused = result.requests.total - wanted;
    if (refused > 0 || result.errors > 0)
      throw new Error(
        `${url}${paths[0]}: ${refused} refused, ${result.errors} failed: ${JSON.stringify(result.statusCodeStats)}`,
      );
    return { times, seconds: result.duration };
  });
}

/**
 * Reads the paths of a target in turns like `read`, by a client that leaves the processors to the target: with a body of 20 kB
 * autocannon is busy for twice as long as the gateway, and collects garbage on all cores.
 */
export async function readLightly(target: Target, clients: number, duration: number): Promise<Run> {
  const { url, paths, headers = {}, processes } = target;
  const agent = new LightAgent({ pipelining: 1 });
  try {
    const step = async () => {
      const path = paths.shift()!;
      paths.push(path);
      const status = await statusOf(agent, { origin: url, path, headers });
      if (status !== 200) throw new Error(`${url}${path} was refused: ${status}`);
    };
    return await drive(step, processes, clients, duration);
  } finally {
    await agent.close();
  }
}

interface Asked {
  origin: string;
  path: string;
  headers: Record<string, string>;
}

/** The status of a response that is read to its end; bodies are not unpacked. */
const statusOf = (agent: LightAgent, asked: Asked) =>
  new Promise<number>((done, failed) => {
    let status = 0;
    agent.dispatch(
      { ...asked, method: "GET" },
      {
        // By this function undici tells a handler of its seventh version from one of the sixth.
        onRequestStart: () => {},
        onResponseStart: (_, code) => {
          status = code;
        },
        onResponseEnd: () => done(status),
        onResponseError: (_, error) => failed(error),
      },
    );
  });

const agent = new Agent({ keepAlive: true });

/**
 * Reads a response to its end over a connection that is kept, and returns its status; bodies are not unpacked. What `fetch`
 * costs besides would be part of the time that is measured.
 */
export const readWhole = (url: string, headers: Record<string, string> = {}) =>
  new Promise<number>((done, failed) => {
    const sent = request(url, { agent, headers }, (response) => {
      response
        .resume()
        .once("end", () => done(response.statusCode!))
        .once("error", failed);
    });
    sent.once("error", failed).end();
  });

/** Sends JSON over a connection that is kept, and returns what came back; throws when it was refused. */
export const send = <Response>(url: string, headers: Record<string, string>, body: object) =>
  new Promise<Response>((done, failed) => {
    const json = Buffer.from(JSON.stringify(body));
    const sent = request(url, {
      agent,
      method: "POST",
      headers: { ...headers, "content-type": "application/json", "content-length": json.length },
    });
    const read = async (response: IncomingMessage) => {
      const text = (await response.setEncoding("utf8").toArray()).join("");
      if (response.statusCode! >= 300) throw new Error(`${url} was refused: ${response.statusCode} ${text}`);
      return JSON.parse(text) as Response;
    };
    sent.once("response", (response) => read(response).then(done, failed));
    sent.once("error", failed).end(json);
  });

/** Lets so many clients do one step after the other for some seconds. */
export async function drive(
  step: (client: number) => Promise<unknown>,
  processes: Processes,
  clients: number,
  duration: number,
): Promise<Run> {
  const times: number[] = [];
  return counted(processes, async () => {
    const since = performance.now();
    const client = async (number: number) => {
      while (performance.now() - since < duration * 1000) {
        const begun = performance.now();
        await step(number);
        times.push(performance.now() - begun);
      }
    };
    await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
    return { times, seconds: (performance.now() - since) / 1000 };
  });
}

async function counted(
  processes: Processes,
  work: () => Promise<{ times: number[]; seconds: number }>,
): Promise<Run> {
  const before = used(processes());
  const { times, seconds } = await work();
  // What other services do about it is a part of the work.
  await sleep(300);
  const total = times.length;
  const cpu = Object.fromEntries(
    [...used(processes())].map(([name, after]) => [name, since(before.get(name)!, after) / total]),
  );
  return { perSecond: total / seconds, ...percentilesOf(times), cpu };
}

/** The times of requests, ascending, and what half of them and 99 of 100 stay below. */
function percentilesOf(times: number[]): Pick<Run, "p50" | "p99" | "times"> {
  times.sort((one, other) => one - other);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))]!;
  return { p50: at(0.5), p99: at(0.99), times };
}

/** CPU time of the processes that are there, by name and id. */
function used(processes: Record<string, number[]>): Map<string, Map<number, number>> {
  const times = (pids: number[]) => new Map(pids.map((pid) => [pid, cpuOf(pid)]));
  return new Map(Object.entries(processes).map(([name, pids]) => [name, times(pids)]));
}

const since = (before: Map<number, number>, after: Map<number, number>) =>
  [...after].reduce((all, [pid, time]) => all + time - (before.get(pid) ?? 0), 0);

/** The median of some runs, each number by itself. */
export function medianOf(runs: Run[]): Run {
  const of = (field: "perSecond" | "p50" | "p99") => median(runs.map((run) => run[field]));
  const cpu = Object.keys(runs[0]!.cpu).map((name) => [name, median(runs.map((run) => run.cpu[name]!))]);
  const { times } = pooledTimes(runs);
  return { perSecond: of("perSecond"), p50: of("p50"), p99: of("p99"), cpu: Object.fromEntries(cpu), times };
}

/** Some runs as if they were one: a percentile of all their requests, which a single odd second moves little. */
export function pooled(runs: Run[]): Run {
  return { ...medianOf(runs), ...pooledTimes(runs) };
}

const pooledTimes = (runs: Run[]) => percentilesOf(runs.flatMap((run) => run.times));

/** A line of the report: rate, times and CPU beside those of the reference. */
export function compare(what: string, ours: Run, reference: Run, target?: Line["target"]): Line {
  return {
    what,
    measured: summaryOf(ours),
    reference: summaryOf(reference),
    result: ours.perSecond / reference.perSecond,
    ...(target && { target }),
  };
}

/** A run in one line. */
export function summaryOf({ perSecond, p50, p99, cpu }: Run): string {
  const used = Object.entries(cpu).filter(([, time]) => time >= 1);
  const each = used.map(([name, time]) => `${name} ${(time / 1000).toFixed(2)}`).join(", ");
  return `${perSecond.toFixed(0)}/s, p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms; CPU ms: ${each}`;
}
