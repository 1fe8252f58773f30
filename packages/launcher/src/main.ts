import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { collectAfterStart } from "@octavo/shared/memory";
import { restartOnChange } from "./dev.js";
import { type Launched, launch } from "./launch.js";
import { commandOf, parentOf } from "./processes.js";
import { readSettings, type Settings } from "./settings.js";
import { openState } from "./state.js";
import { say, seconds, warn } from "./terminal.js";

const usage = `npm start      brings Octavo up on this machine; Ctrl-C stops it
npm run token  prints the first administrator's token
npm run dev    as npm start, from the sources, restarted when they change

PORT, OCTAVO_DATA_DIR and the other variables are listed in the README.`;

const args = process.argv.slice(2);
if (args.includes("--help")) say(usage);
else if (args.includes("--show-token")) showToken(readSettings());
else await main(args.includes("--dev"));

async function main(dev: boolean) {
  const since = Date.now();
  const settings = readSettings();
  const stops: (() => Promise<void> | void)[] = [];
  const halt = new AbortController();
  const asked = onStop(() => halt.abort());
  try {
    const launched = await launch(settings, { dev, signal: halt.signal, undo: stops });
    if (dev) stops.push(restartOnChange(launched.processes));
    if (!halt.signal.aborted) greet(settings, launched, since);
    collectAfterStart();
    await asked;
    say("\nStopping");
  } catch (error) {
    if (!halt.signal.aborted) warn((error as Error).message);
    process.exitCode = halt.signal.aborted ? 0 : 1;
    halt.abort();
  }
  for (const stop of stops.reverse()) await stop();
  process.exit();
}

function showToken({ dataDir }: Settings) {
  try {
    if (existsSync(join(dataDir, "state.json"))) return say(openState(dataDir).state.adminToken);
    warn(`Octavo has never been started on ${dataDir}`);
  } catch (error) {
    warn((error as Error).message);
  }
  process.exitCode = 1;
}

/** Resolves when somebody asks to stop; one who asks again, a second later or more, gets it at once. */
function onStop(onSignal: () => void): Promise<void> {
  return new Promise((resolve) => {
    let first = 0;
    const stop = () => {
      // npm passes on the Ctrl-C that the terminal has sent us already.
      if (first && Date.now() - first > 1_000) process.exit(130);
      first ||= Date.now();
      onSignal();
      resolve();
    };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
    if (process.env.npm_lifecycle_event) watchParent(stop);
  });
}

// A signal for npm may end npm or its shell without ever reaching us.
function watchParent(stop: () => void) {
  // npm's shell may have become us; who started npm is free to leave.
  const shell = /^\S*sh -c /.test(commandOf(process.ppid) ?? "");
  const ancestors = () => `${process.ppid} ${shell ? parentOf(process.ppid) : ""}`;
  const before = ancestors();
  const timer = setInterval(() => {
    if (ancestors() === before) return;
    clearInterval(timer);
    stop();
  }, 500).unref();
}

function greet({ baseUrl, dataDir }: Settings, { file, token, firstStart }: Launched, since: number) {
  const { first, sample } = file.state;
  const path = sample.space ? `/v1/spaces/${sample.space}/content/pages` : `/v1/orgs/${first?.organization}`;
  const shown = firstStart ? token : "$OCTAVO_TOKEN";
  say(`
Octavo is up (${seconds(since)})

  API        ${baseUrl}/v1
  Reference  ${baseUrl}/docs${sample.published && sample.site ? `\n  Sample     ${baseUrl}/sites/${sample.site}/` : ""}
  Data       ${relative(process.cwd(), dataDir) || dataDir}
  Try        curl -H "Authorization: Bearer ${shown}" ${baseUrl}${path}
  Token      ${firstStart ? token : "export OCTAVO_TOKEN=$(npm run --silent token)"}`);
}
