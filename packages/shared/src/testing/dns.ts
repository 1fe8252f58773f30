import { createSocket } from "node:dgram";
import { once } from "node:events";
import { decode, encode, type TxtAnswer } from "dns-packet";

/** A DNS server on this machine that responds from a table of TXT records; names are in lower case. */
export async function startDns() {
  /** The values of each name; `SERVFAIL` is a server that cannot respond, `silence` one that does not. */
  const records = new Map<string, string[] | "SERVFAIL" | "silence">();
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (message, { address, port }) => {
    const { id, questions = [] } = decode(message);
    const name = questions[0]?.name.toLowerCase() ?? "";
    const held = records.get(name);
    asked.push(name);
    if (held === "silence") return;
    const values = Array.isArray(held) ? held : [];
    const answers = values.map((value): TxtAnswer => ({ type: "TXT", name, ttl: 1, data: parts(value) }));
    const code = held === "SERVFAIL" ? 2 : held === undefined ? 3 : 0;
    socket.send(encode({ type: "response", id, flags: code, questions, answers }), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    server: `127.0.0.1:${socket.address().port}`,
    records,
    asked,
    close: () => new Promise<void>((closed) => socket.close(() => closed())),
  };
}

/** A TXT record holds texts of at most 255 bytes, which belong together. */
const parts = (value: string) => value.match(/.{1,100}/gs) ?? [""];
