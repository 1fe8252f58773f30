import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { newId } from "@octavo/shared/ids";

const KINDS: Record<string, { status: string; reason: string; message: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: "431 Request Header Fields Too Large",
    reason: "headers_too_large",
    message: "Headers: are too large",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: "408 Request Timeout",
    reason: "request_timeout",
    message: "Request: did not arrive in time",
  },
};
const MALFORMED = {
  status: "400 Bad Request",
  reason: "malformed_request",
  message: "Request: is not valid HTTP",
};

/** Responds to what Node's parser refused, in the public error shape, and closes the connection. */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  const { _httpMessage: current } = socket as Socket & { _httpMessage?: ServerResponse | null };
  if (!socket.writable || current?.headersSent || error.code === "ECONNRESET") return void socket.destroy();
  const { status, reason, message } = KINDS[error.code ?? ""] ?? MALFORMED;
  const requestId = newId();
  const body = JSON.stringify({ error: { code: Number.parseInt(status, 10), message, reason, requestId } });
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      "content-type: application/json; charset=utf-8",
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      "x-content-type-options: nosniff",
      "connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}
