import { h, prose } from "./elements.js";
import { sentence } from "./operation.js";

const CONVENTIONS = [
  [
    "Authentication",
    "Send `Authorization: Bearer <token>` with every request. A missing, unknown, revoked or expired token is 401.",
  ],
  [
    "Errors",
    "Every error is `{ error: { code, message, reason, requestId } }`; `reason` is a stable machine word, and bad input lists all its `issues`. With `Accept: application/problem+json` errors follow RFC 9457.",
  ],
  [
    "Lists",
    "Lists answer `{ items, count, next }`. Hand `next.page` back as `page` to go on; `limit` is 50 unless told, 1000 at most. A list never misses or repeats an item that was there throughout.",
  ],
  [
    "Limits",
    "Every answer says `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`. Beyond the limit it is 429 with `Retry-After`. A body has at most 256 KiB, where an operation names nothing else, 256 levels and 250,000 values.",
  ],
  ["Tracing", "Every answer carries `X-Request-Id`: yours when you send one. `traceparent` is handed on."],
];

/** The first page: how everything behaves, and the groups of operations. */
export function drawOverview({ info }, tags) {
  const tiles = [...tags]
    .filter(([, operations]) => operations.length)
    .map(([tag, operations]) =>
      h(
        "a",
        { href: `#${operations[0].operationId}` },
        h("strong", null, sentence(tag)),
        h(
          "span",
          { class: "quiet" },
          operations.length === 1 ? "1 operation" : `${operations.length} operations`,
        ),
      ),
    );
  return h(
    "div",
    null,
    h(
      "div",
      { class: "intro" },
      h("h1", null, `${info.title} API reference`),
      prose(info.description),
      CONVENTIONS.map(([title, text]) => [h("h2", null, title), prose(text)]),
    ),
    h("h2", null, "Operations"),
    h("div", { class: "tiles" }, tiles),
  );
}
