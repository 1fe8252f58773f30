import { execFileSync, spawnSync } from "node:child_process";

/** How to run a program that refuses to run as root: a prefix of its command line, and ids for spawn. */
export interface Account {
  prefix: string[];
  uid?: number;
  gid?: number;
  /** Whom the program's files must belong to; undefined when that is ourselves. */
  owner?: { uid: number; gid: number };
}

/** The account PostgreSQL runs under: our own, or as root an existing unprivileged one. */
export function unprivilegedAccount(): Account {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const owner = idsOf("postgres") ?? idsOf("nobody");
  if (owner) return { prefix: [], ...owner, owner };
  throw new Error(
    "PostgreSQL refuses to run as root, and there is neither an account postgres nor nobody. " +
      "Run as an ordinary user, or give DATABASE_URL",
  );
}

/**
 * The account with what it takes to reach the directory. Below one that is closed to others (a checkout
 * under /root) that is one inherited capability, and nothing else of root's power.
 */
export function reaching(account: Account, directory: string): Account {
  const candidates = [
    account,
    ...["dac_read_search", "dac_override"].map((one) => withCapability(account, one)),
  ];
  const able = candidates.find((candidate) => run(candidate, 'cd "$0"', directory));
  if (able) return able;
  throw new Error(
    `PostgreSQL refuses to run as root, and uid ${account.uid} cannot reach ${directory}. ` +
      "Set OCTAVO_DATA_DIR to a directory it can reach, run as an ordinary user, or give DATABASE_URL",
  );
}

/** Whether the account can run the program where it lies. */
export const canRun = (account: Account, program: string) => run(account, '"$0" --version', program);

function withCapability({ owner }: Account, capability: string): Account {
  if (!owner) return { prefix: [] };
  const only = `-all,+${capability}`;
  const ids = [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, "--clear-groups", "--no-new-privs"];
  const capabilities = [`--inh-caps=${only}`, `--ambient-caps=${only}`, `--bounding-set=${only}`];
  return { prefix: ["setpriv", ...ids, ...capabilities], owner };
}

function run({ prefix, uid, gid }: Account, script: string, argument: string): boolean {
  const [command = "", ...args] = [...prefix, "/bin/sh", "-c", script, argument];
  return spawnSync(command, args, { uid, gid, cwd: "/", stdio: "ignore", timeout: 10_000 }).status === 0;
}

function idsOf(name: string): { uid: number; gid: number } | undefined {
  try {
    const ask = (flag: string) =>
      Number(execFileSync("id", [flag, name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
    return { uid: ask("-u"), gid: ask("-g") };
  } catch {
    return undefined;
  }
}
