import { connect } from "nats";
import { testEvents } from "./events.js";

/** A service with events of its own, and a plain connection to the stream that they are published to. */
export async function testStream() {
  const home = await testEvents();
  const connection = await connect({ servers: process.env.NATS_URL });
  const manager = await connection.jetstreamManager();
  await manager.streams.add({ name: home.stream, subjects: [`${home.prefix}.>`] });
  const end = async () => {
    await connection.close();
    await home.end();
  };
  return { home, connection, manager, end };
}
