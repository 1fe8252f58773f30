import { connect, type JetStreamManager, type NatsConnection } from "nats";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newId } from "../ids.js";
import { testSigner } from "../testing/signing.js";
import { publishRows, type WaitingRow } from "./publish.js";
import { SIGNATURE_HEADER } from "./signature.js";

let connection: NatsConnection;
let manager: JetStreamManager;
let stream: string;
let prefix: string;
beforeAll(async () => {
  connection = await connect({ servers: process.env.NATS_URL });
  manager = await connection.jetstreamManager();
});
beforeEach(async () => {
  const id = newId().slice(-10);
  [stream, prefix] = [`TEST_${id}`, `test.${id}`];
  await manager.streams.add({ name: stream, subjects: [`${prefix}.>`], max_msg_size: 2_000 });
  return () => manager.streams.delete(stream);
});
afterAll(() => connection.close());

let position = 0;
const rowOf = (id: string, aggregate: string, body = "{}"): WaitingRow => {
  position += 1;
  return { position, id: `${stream} ${id}`, name: "content.thing.changed", aggregate, body };
};
const publish = (rows: WaitingRow[]) =>
  publishRows(connection, { prefix, signer: testSigner("content") }, rows);
const positions = (rows: WaitingRow[]) => rows.map(({ position }) => position);
const inStream = async () => (await manager.streams.info(stream)).state.messages;

test("rows are published signed, under ids of their own, and the last sequence of the stream is returned", async () => {
  const rows = [rowOf("1", "a", '{"n":1}'), rowOf("2", "b"), rowOf("3", "a")];
  const outcome = await publish(rows);
  expect(outcome).toMatchObject({ lastSequence: 3, failure: undefined });
  expect(outcome.published.toSorted((one, other) => one - other)).toEqual(positions(rows));
  const message = await manager.streams.getMessage(stream, {
    last_by_subj: `${prefix}.content.thing.changed`,
  });
  expect(message.header.get("Nats-Msg-Id")).toMatch(/ [23]\.signed$/);
  expect(message.header.get(SIGNATURE_HEADER)).not.toBe("");
  // The stream has them already.
  expect(await publish(rows)).toMatchObject({ lastSequence: 3, failure: undefined });
  expect(await inStream()).toBe(3);
});

test("behind a row that is not taken nothing of its aggregate goes out, and the failure is returned", async () => {
  const tooLong = JSON.stringify("x".repeat(3_000));
  const rows = [rowOf("1", "a"), rowOf("2", "a", tooLong), rowOf("3", "a"), rowOf("4", "a", tooLong)];
  const { published, lastSequence, failure } = await publish(rows);
  expect([published, lastSequence]).toEqual([[rows[0]!.position], 1]);
  expect(failure).toBeInstanceOf(Error);
  expect(await inStream()).toBe(1);
});

test("no rows are published without a word", async () => {
  expect(await publish([])).toEqual({ published: [], lastSequence: 0, failure: undefined });
});
