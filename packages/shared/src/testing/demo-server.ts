import type { Caller } from "../contracts/callers.js";
import { createHttpServer } from "../http.js";
import { createLog } from "../log.js";
import { createUrls } from "../urls.js";
import { demo, rawRoutes } from "./demo.js";
import { listen, testKeys } from "./http.js";

export const ada: Caller = {
  kind: "user",
  id: "user1",
  name: "Ada",
  organizations: { acme: "admin" },
  teams: [],
  token: "token1",
};

/** The demo router behind the HTTP server of a service; requests are Ada's unless they bring an identity. */
export async function startDemo({
  unready = async () => [],
  openApiFile,
}: Partial<Pick<Parameters<typeof createHttpServer>[0], "unready" | "openApiFile">> = {}) {
  const gateway = testKeys("gateway");
  const aborted: string[] = [];
  const server = createHttpServer({
    name: "content",
    version: "1.0.0",
    router: demo,
    rawRoutes,
    openApiFile,
    verifier: gateway.verifier,
    base: {
      urls: createUrls({ base: "http://octavo.test", app: "http://app.test", sites: "http://sites.test" }),
      clock: () => new Date(),
      aborted,
    },
    unready,
    log: createLog({ service: "demo", level: "silent" }),
  });
  const identity = await gateway.sign(ada);
  return { ...(await listen(server, identity)), identity, gateway, aborted };
}
