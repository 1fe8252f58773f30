import { natsServer, postgresServer } from "./backbone.js";
import { recordChildren, stopLeftChildren } from "./children.js";
import { openDataDir } from "./data-dir.js";
import { deployables, natsAbove, postgresAbove } from "./deployables.js";
import { ensureFirst } from "./first-organization.js";
import { startGuard } from "./guard.js";
import { lockDataDir } from "./lock.js";
import { turnLogs } from "./logs.js";
import { stopLeftNats } from "./nats.js";
import { isFree, ownerOf } from "./ports.js";
import { stopLeftPostgres } from "./postgres.js";
import { provision } from "./provision.js";
import { ensureSample } from "./sample.js";
import { superviseDeployable } from "./services.js";
import type { Settings } from "./settings.js";
import { openState, type StateFile } from "./state.js";
import type { Supervised } from "./supervise.js";
import { say, step, warn } from "./terminal.js";

export interface Launched {
  file: StateFile;
  token: string;
  /** Whether this start made the first organization, and so its token is new. */
  firstStart: boolean;
  processes: Supervised[];
}

/** What has been started so far, in an order that can be stopped backwards. */
export interface Undo {
  push(stop: () => Promise<void> | void): void;
}

interface Options {
  dev: boolean;
  signal: AbortSignal;
  undo: Undo;
}

/** Brings everything up, step by step. What it started is in `undo`, also when it throws half-way. */
export async function launch(
  settings: Settings,
  { dev, signal: stopping, undo }: Options,
): Promise<Launched> {
  openDataDir(settings.dataDir);
  undo.push(lockDataDir(settings.dataDir));
  const file = openState(settings.dataDir);
  await clearLeftovers(settings);
  await checkPorts(settings);

  // One failed start ends the others, which would wait for their neighbours in vain.
  const givingUp = new AbortController();
  const signal = AbortSignal.any([stopping, givingUp.signal]);
  const together = <T>(starts: Promise<T>[], each: (started: T) => void) =>
    allOrNone(starts, each, () => givingUp.abort());
  const guard = startGuard();
  undo.push(() => guard.release());
  const given = {
    settings,
    password: file.state.postgresPassword,
    natsPasswords: file.state.natsPasswords,
    guard,
    signal,
  };
  const [database, broker] = await together([postgresServer(given), natsServer(given)], (server) =>
    undo.push(async () => server.process?.stop()),
  );
  const { urls, created } = await provisionAt(database!.url, file);
  noticeMismatch(file, created, settings);

  const context = {
    settings,
    state: file.state,
    databaseUrls: urls,
    natsUrl: broker!.url,
    natsPasswords: broker!.process ? file.state.natsPasswords : settings.natsPasswords,
    guard,
    signal,
    dev,
  };
  const processes = await step("Services, reader and gateway ready", () =>
    together(
      deployables.map((one) => superviseDeployable(one, context)),
      (one) => undo.push(() => one.stop()),
    ),
  );
  const record = () =>
    recordChildren(
      settings.dataDir,
      processes.map(({ name, pid }) => ({ name, pid: pid() })),
    );
  const lookAfter = () => {
    record();
    turnLogs(settings.dataDir);
  };
  lookAfter();
  const timer = setInterval(lookAfter, 5_000).unref();
  undo.push(() => clearInterval(timer));

  const { token, firstStart } = await ensureFirst({ settings, file });
  if (settings.sample) {
    const given = { settings, file, token };
    await ensureSample(given).catch(({ message }: Error) =>
      warn(`${message}\n  The next start tries again; OCTAVO_SAMPLE=0 starts without the sample`),
    );
  }
  return { file, token, firstStart, processes };
}

async function provisionAt(adminUrl: string, { state }: StateFile) {
  try {
    return await provision({ adminUrl, passwords: state.passwords });
  } catch (error) {
    // Where a host has several addresses, each has failed for a reason of its own.
    const reasons = error instanceof AggregateError ? error.errors : [error];
    const why = reasons.map((reason: Error) => reason.message).join(", ");
    throw new Error(`The database at ${new URL(adminUrl).host} cannot be provisioned: ${why}`);
  }
}

async function clearLeftovers({ dataDir }: Settings) {
  const names = await stopLeftChildren(dataDir);
  if (names.length > 0) say(`  Stopped what a killed launcher had left running: ${names.join(", ")}`);
  await Promise.all([stopLeftPostgres(`${dataDir}/postgres`), stopLeftNats(`${dataDir}/nats`)]);
}

async function checkPorts({ port, databaseUrl, natsUrl }: Settings) {
  const wanted = [
    ...deployables.map(({ name, above }) => ({ name, number: port + above })),
    ...(natsUrl ? [] : [{ name: "NATS", number: port + natsAbove }]),
    ...(databaseUrl ? [] : [{ name: "PostgreSQL", number: port + postgresAbove }]),
  ];
  const taken = [];
  for (const { name, number } of wanted) {
    if (await isFree(number)) continue;
    const owner = ownerOf(number);
    taken.push(`Port ${number} (${name}) is in use${owner ? ` by ${owner}` : ""}`);
  }
  if (taken.length === 0) return;
  throw new Error(`${taken.join("\n")}\nStop that program, or set PORT: all ports are counted from it`);
}

function noticeMismatch(file: StateFile, created: boolean, { dataDir, databaseUrl }: Settings) {
  const { state } = file;
  if (created) Object.assign(state, { first: undefined, sample: {} });
  if (!created && file.fresh && databaseUrl) {
    warn(
      `The database has data of an installation whose keys are not in ${dataDir}: its secrets cannot be read`,
    );
    state.sample.published = true;
  }
  file.save();
}

// All starts are waited for, so that none is forgotten; what the first one to fail says is what happened.
async function allOrNone<T>(
  starts: Promise<T>[],
  each: (started: T) => void,
  giveUp: () => void,
): Promise<T[]> {
  const failures: unknown[] = [];
  const failed = (error: unknown) => {
    failures.push(error);
    giveUp();
  };
  const started: T[] = [];
  await Promise.all(starts.map((start) => start.then((one) => started.push(one), failed)));
  for (const one of started) each(one);
  if (failures.length > 0) throw failures[0];
  return Promise.all(starts);
}
