import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectionOptions } from "@octavo/shared/events/bus";
import { DEFAULT_STREAM, ensureStream } from "@octavo/shared/events/stream";
import { AckPolicy, connect, type NatsConnection } from "nats";
import { afterAll, beforeAll, expect, test } from "vitest";
import { natsUrlOf, startNats } from "./nats.js";
import { freePort } from "./ports.js";
import { type NatsUser, newState } from "./state.js";

const { stream, prefix } = DEFAULT_STREAM;
const { natsPasswords: passwords } = newState();

let directory: string;
let server: Awaited<ReturnType<typeof startNats>>;
const connections: NatsConnection[] = [];
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "octavo-users-"));
  const [dataDir, logFile] = [join(directory, "data"), join(directory, "log")];
  server = await startNats({ dataDir, logFile, port: await freePort(), passwords });
  await ensureStream(await as("orgs"), DEFAULT_STREAM);
});
afterAll(async () => {
  await Promise.all(connections.map((connection) => connection.close()));
  await server.stop();
  rmSync(directory, { recursive: true });
});

async function as(user: NatsUser) {
  const connection = await connect(connectionOptions(natsUrlOf(server.url, user, passwords[user]), user));
  connections.push(connection);
  return connection;
}

/** What the broker refused on this connection by the time that it responds to a ping. */
async function refusals(connection: NatsConnection, work: () => unknown): Promise<string[]> {
  const statuses: string[] = [];
  void (async () => {
    for await (const { data } of connection.status()) statuses.push(String(data));
  })();
  await work();
  // Refusals arrive before the response to a ping; the list is behind by a turn of the event loop.
  for (let pings = 0; pings < 3; pings++) await connection.flush();
  return statuses.filter((text) => /permission/i.test(text));
}

test("nobody connects without a password, and nothing but the broker's port is open", async () => {
  await expect(connect({ servers: server.url, reconnect: false })).rejects.toThrow(/authorization/i);
  await expect(
    connect({ servers: server.url, user: "content", pass: "wrong", reconnect: false }),
  ).rejects.toThrow(/authorization/i);
});

test.each(["orgs", "content", "sites", "integrations"] as const)(
  "%s publishes its own events, and no others",
  async (service) => {
    const others = ["orgs", "content", "sites", "integrations"].filter((other) => other !== service);
    const connection = await as(service);
    const ack = await connection.jetstream().publish(`${prefix}.${service}.thing.happened`, "{}");
    expect(ack.seq).toBeGreaterThan(0);
    const refused = await refusals(connection, () => {
      for (const other of others) connection.publish(`${prefix}.${other}.thing.happened`, "{}");
      connection.publish(`$JS.API.STREAM.DELETE.${stream}`);
      connection.publish(`$JS.API.STREAM.PURGE.${stream}`);
      connection.publish(`$JS.API.STREAM.UPDATE.${stream}`);
      connection.publish(`$JS.API.STREAM.MSG.GET.${stream}`);
      connection.publish(`$JS.API.CONSUMER.CREATE.${stream}`);
      connection.publish(`$JS.API.CONSUMER.DURABLE.CREATE.${stream}.x`);
      connection.publish(`$JS.API.CONSUMER.DELETE.${stream}.${others[0]}-${others[1]}`);
    });
    expect(refused).toHaveLength(others.length + 7);
  },
);

test("sites reads what content publishes, and nothing else by the same consumer", async () => {
  const manager = await (await as("sites")).jetstreamManager();
  const consumer = { durable_name: "sites-content", ack_policy: AckPolicy.Explicit };
  for (const filter_subject of [`${prefix}.content.>`, `${prefix}.content.*.*`]) {
    const made = await manager.consumers.add(stream, { ...consumer, filter_subject });
    expect(made.config.filter_subject).toBe(filter_subject);
    await manager.consumers.delete(stream, consumer.durable_name);
  }
  const manager2 = await (await as("sites")).jetstreamManager({ timeout: 500 });
  await expect(
    manager2.consumers.add(stream, { ...consumer, filter_subject: `${prefix}.orgs.>` }),
  ).rejects.toThrow();
});

test("the gateway receives events of tokens and publishes nothing; no user reads the inbox of another", async () => {
  const gateway = await as("gateway");
  const subscription = gateway.subscribe(`${prefix}.orgs.*.*`, { max: 1 });
  await gateway.flush();
  await (await as("orgs")).jetstream().publish(`${prefix}.orgs.token.revoked`, "{}");
  for await (const message of subscription) expect(message.subject).toBe(`${prefix}.orgs.token.revoked`);
  const refused = await refusals(gateway, () => {
    gateway.publish(`${prefix}.orgs.token.revoked`, "{}");
    gateway.publish("$JS.API.INFO");
    gateway.subscribe(`${prefix}.>`);
    gateway.subscribe("_INBOX_content.>");
    gateway.subscribe("_INBOX.>");
  });
  expect(refused).toHaveLength(5);
});
