import { execFileSync } from "node:child_process";
import { createServer } from "node:net";
import { commandOf } from "./processes.js";

/** What a machine without IPv6 says of `::1`. */
const NO_IPV6 = new Set(["EADDRNOTAVAIL", "EAFNOSUPPORT"]);

/** A port of the loopback interface that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = await listen(0, "127.0.0.1");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("The system gave no port");
  return address.port;
}

/**
 * Whether somebody could listen on the port now, on either loopback address and on all interfaces: who asks for
 * `localhost` may be led to any of them.
 */
export async function isFree(port: number): Promise<boolean> {
  for (const host of ["127.0.0.1", "::1", undefined]) {
    try {
      const server = await listen(port, host);
      await new Promise((resolve) => server.close(resolve));
    } catch (error) {
      if (!NO_IPV6.has((error as NodeJS.ErrnoException).code ?? "")) return false;
    }
  }
  return true;
}

/** Who listens on the port, as "command (pid 12)", where the system shows it. */
export function ownerOf(port: number): string | undefined {
  const pid = fromLsof(port) ?? fromSs(port);
  if (pid === undefined) return undefined;
  const command = commandOf(pid);
  return command ? `${command.slice(0, 120)} (pid ${pid})` : `pid ${pid}`;
}

/** Without a host it listens on all interfaces. */
function listen(port: number, host: string | undefined) {
  const server = createServer();
  return new Promise<typeof server>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}

const fromLsof = (port: number) => pidIn("lsof", ["-nP", "-t", `-iTCP:${port}`, "-sTCP:LISTEN"], /^(\d+)/);
const fromSs = (port: number) => pidIn("ss", ["-Hltnp", `sport = :${port}`], /pid=(\d+)/);

function pidIn(command: string, args: string[], pattern: RegExp): number | undefined {
  try {
    const output = execFileSync(command, args, {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 5_000,
    });
    const match = pattern.exec(output);
    return match ? Number(match[1]) : undefined;
  } catch {
    return undefined;
  }
}
