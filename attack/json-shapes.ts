import type { ApiResponse } from "../tests/harness/client.js";
import { type Attack, isRefused, isUnavailable } from "./attack.js";
import { pathOf, type Route, routes } from "./routes.js";

const MB = 1024 * 1024;

/** Bodies of about so many bytes that cost more to read than they look. */
const SHAPES: Record<string, (bytes: number) => string> = {
  "nested arrays": (bytes) => `${"[".repeat(bytes / 2)}${"]".repeat(bytes / 2)}`,
  "nested arrays that do not end": (bytes) => "[".repeat(bytes),
  "nested objects": (bytes) => `${'{"a":'.repeat(bytes / 6)}1${"}".repeat(bytes / 6)}`,
  "an array of objects": (bytes) => `{"changes":[${"{},".repeat(bytes / 3)}{}]}`,
  "an array of numbers": (bytes) => `{"users":[${"0,".repeat(bytes / 2)}0]}`,
  "an array of arrays": (bytes) => `{"emails":[${"[],".repeat(bytes / 3)}[]]}`,
  "many fields": (bytes) => `{${Array.from({ length: bytes / 12 }, (_, n) => `"f${n}":0`).join(",")}}`,
  "one field many times": (bytes) => `{${'"title":"a",'.repeat(bytes / 12)}"title":"b"}`,
  "a long text": (bytes) => `{"title":"${"x".repeat(bytes)}"}`,
  "a long text of escapes": (bytes) => `{"title":"${"\\u0000".repeat(bytes / 6)}"}`,
  "a long number": (bytes) => `{"limit":${"9".repeat(bytes)}}`,
  prototypes: (bytes) => `{${'"__proto__":{"constructor":{"prototype":{}}},'.repeat(bytes / 46)}"a":1}`,
};

/** Bodies whose shape is the attack, to operations on what does not exist. */
export const jsonShapes: Attack = {
  name: "json-shapes",
  claim: "a body is refused by what it is, whatever it costs to read",
  async run({ stack, attacker, full }, trial) {
    const unknown = () => "unknown0000000000000000";
    const send = async (route: Route, what: string, bytes: number) => {
      const path = pathOf(route, unknown);
      const headers = { "content-type": "application/json" };
      const sent = attacker.call.send(route.method, path, headers, SHAPES[what]!(bytes));
      const response = await trial.expect(`${route.name} with ${bytes} bytes of ${what}`, sent, isDeclined);
      // What one shape has ended is there again for the next.
      if (!response || response.status >= 500) await stack.ready();
    };
    const [large, small] = full ? [[10 * MB, 30 * MB], 256 * 1024] : [[10 * MB], 64 * 1024];
    for (const route of oneOfEachService()) {
      for (const what of Object.keys(SHAPES)) for (const bytes of large) await send(route, what, bytes);
    }
    for (const route of routes.filter(({ writes, operation }) => writes && !operation.form)) {
      for (const what of full ? Object.keys(SHAPES) : ["nested arrays"]) await send(route, what, small);
    }
  },
};

const isDeclined = (response: ApiResponse): boolean => isRefused(response) || isUnavailable(response);

const oneOfEachService = (): Route[] =>
  [
    "PATCH /orgs/{organizationId}",
    "POST /spaces/{spaceId}/change-requests/{changeRequestId}/content",
    "PATCH /orgs/{organizationId}/sites/{siteId}",
    "POST /integrations/{integrationName}/installations",
    "POST /sso/exchange",
  ].map((name) => routes.find((route) => route.name === name)!);
