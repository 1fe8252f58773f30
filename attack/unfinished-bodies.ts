import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Attack, Target } from "./attack.js";

/** More than any pool of connections between gateway and services. */
const CONNECTIONS = 260;

/** Requests that never end: their headers promise a body of which one byte arrives. */
export const unfinishedBodies: Attack = {
  name: "unfinished-bodies",
  claim: "requests whose bodies do not arrive keep nobody else from being served",
  async run(target, trial) {
    const { stack, attacker, victim, full } = target;
    const holdMs = full ? 5_000 : 1_000;
    for (const [what, head, body] of heads(target)) {
      const sockets = await Promise.all(
        Array.from({ length: CONNECTIONS }, () => open(stack.port, `${head}${body}`)),
      );
      trial.tried(CONNECTIONS);
      try {
        const until = performance.now() + holdMs;
        while (performance.now() < until) {
          const space = `/spaces/${victim.things.spaceId}`;
          await trial.expect(
            `a write of others during ${what}`,
            victim.call("PATCH", space, { title: "Mine" }),
          );
          await trial.expect(
            `a sign-in of others during ${what}`,
            attacker.call.as(undefined)("POST", "/sso/exchange", { code: "unknown" }),
          );
          await sleep(100);
        }
      } finally {
        for (const socket of sockets) socket.destroy();
      }
    }
  },
};

/** Each with the beginning of a body. */
function heads({ stack, attacker }: Target): [what: string, head: string, body: string][] {
  const { things, person } = attacker;
  const head = (line: string, ...more: string[]) =>
    [line, `Host: localhost:${stack.port}`, "Content-Type: application/json", ...more, "", ""].join("\r\n");
  const bearer = `Authorization: Bearer ${person.token}`;
  const exchange = "POST /v1/sso/exchange HTTP/1.1";
  const comment = `POST /v1/spaces/${things.spaceId}/comments HTTP/1.1`;
  const site = `POST /v1/orgs/${things.organizationId}/sites HTTP/1.1`;
  const integration = `POST /v1/integrations/${things.integrationName} HTTP/1.1`;
  const long = "Content-Length: 1000";
  return [
    ["sign-ins without a token", head(exchange, long), "{"],
    ["writes of content", head(comment, bearer, long), "{"],
    ["writes of sites", head(site, bearer, long), "{"],
    ["writes of integrations", head(integration, bearer, long), "{"],
    ["chunks without an end", head(comment, bearer, "Transfer-Encoding: chunked"), "1\r\n{\r\n"],
    ["headers without an end", exchange, ""],
  ];
}

/** A connection of another address than that of the others, where the system has more than one for itself. */
function open(port: number, text: string): Promise<Socket> {
  const localAddress = process.platform === "linux" ? "127.0.0.2" : undefined;
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, localAddress }, () => {
      socket.write(text);
      resolve(socket);
    });
    socket.on("error", () => resolve(socket));
    socket.resume();
  });
}
