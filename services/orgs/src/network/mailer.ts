import { createTransport } from "nodemailer";

export interface Email {
  to: string;
  subject: string;
  text: string;
}

/** Hands letters to the operator's SMTP server. */
export interface Mailer {
  /** The id stays the same when an email is sent again, so that mailboxes can recognize it. */
  send(email: Email, id: string): Promise<void>;
  close(): void;
}

const WITHIN_MS = 15_000;

/** A mailer for `smtp(s)://user:password@host:port`, whose letters come from this address. */
export function createMailer({ url, from }: { url: string; from: string }): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: WITHIN_MS,
    greetingTimeout: WITHIN_MS,
    socketTimeout: WITHIN_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ to, ...letter }, id) => {
      // An address as it is, for a text could be read as several.
      const recipient = { name: "", address: to };
      const headers = { "auto-submitted": "auto-generated" };
      await transport.sendMail({ ...letter, from, to: recipient, messageId: `<${id}@octavo>`, headers });
    },
    close: () => transport.close(),
  };
}

/** Whether the server takes no letter for this recipient, now or later. */
export function isUndeliverable(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return code === "EENVELOPE" && typeof responseCode === "number" && responseCode >= 500;
}
