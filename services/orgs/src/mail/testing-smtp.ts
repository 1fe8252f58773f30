import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { waitFor } from "@octavo/shared/testing/schema";
import { SMTPServer } from "smtp-server";

/** A letter as the server took it. */
interface Received {
  to: string[];
  source: string;
}

/** An SMTP server on this machine that keeps what it takes. */
export async function startSmtp() {
  const letters: Received[] = [];
  /** Refuses a recipient with this code, such as 550; undefined takes everybody. */
  const refusal: { code?: number } = {};
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    onRcptTo: (_address, _session, done) =>
      done(
        refusal.code === undefined ? null : Object.assign(new Error("no"), { responseCode: refusal.code }),
      ),
    onData: (stream, { envelope }, done) => {
      const to = envelope.rcptTo.map(({ address }) => address);
      text(stream).then((source) => {
        letters.push({ to, source: unfolded(source) });
        done();
      }, done);
    },
  });
  server.on("error", () => undefined);
  const { server: listening } = server;
  server.listen(0, "127.0.0.1");
  await once(listening, "listening");

  const sentTo = (address: string) => letters.filter(({ to }) => to.includes(address));
  return {
    url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    letters,
    refusal,
    sentTo,
    /** The newest letter to an address, once there are so many. */
    letterTo: async (address: string, count = 1) => (await waitFor(() => sentTo(address)[count - 1])).source,
    close: () => new Promise<void>((closed) => server.close(closed)),
  };
}

/** Without the line breaks of quoted-printable. */
const unfolded = (source: string) => source.replace(/=\r\n/g, "");

/** The code that a letter brings. */
export const codeIn = (letter: string): string => /\b(\w{4}-){2}\w{4}\b/.exec(letter)![0];
