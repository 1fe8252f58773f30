import type { TraceLog } from "../schemas/event.js";

/** The script of one version of an integration. */
export interface Script {
  /** Differs between versions: it is what a process remembers a script by. */
  key: string;
  generation: "v1" | "v2";
  source: () => Promise<string>;
}

/** One event for a script. */
export interface Dispatch {
  /** Who publishes the script: scripts of different organizations share no process. */
  organization: string;
  script: Script;
  body: Buffer;
  contentType: string;
  signal?: AbortSignal;
}

/** The response of a script. */
export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  /** What it logged; complete when its work after the response has ended as well. */
  logs: Promise<TraceLog[]>;
}

/** A script without a response, and why; trying again would end in the same way. */
export class ScriptFailed extends Error {
  /** What it had logged until then. */
  readonly logs: TraceLog[];
  constructor(message: string, logs: TraceLog[] = []) {
    super(message);
    this.logs = logs;
  }
}

/** Runs the scripts of integrations, apart from this process. */
export interface Runtime {
  /** Why no script can be run here; absent when they can. */
  unavailable?: string;
  /** Runs a script with an event; throws `ScriptFailed` for what is the script's own fault. */
  dispatch(dispatch: Dispatch): Promise<Reply>;
  /** Ends all processes. */
  stop(): Promise<void>;
}

/** A runtime where there is none: every event says why. */
export const noRuntime = (reason: string): Runtime => ({
  unavailable: reason,
  dispatch: async () => {
    throw new ScriptFailed(`There is no runtime to run the script in: ${reason}`);
  },
  stop: async () => undefined,
});
