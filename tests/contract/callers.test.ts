import { type Caller, SERVICES, type ServiceName } from "@octavo/shared/contracts/callers";
import { describe as describeError } from "@octavo/shared/errors";
import type { OperationMeta } from "@octavo/shared/rest/operation";
import type { AnyRouter } from "@trpc/server";
import { expect, test } from "vitest";
import { router as content } from "../../services/content/src/router.js";
import { router as integrations } from "../../services/integrations/src/router.js";
import { router as orgs } from "../../services/orgs/src/router.js";
import { router as sites } from "../../services/sites/src/router.js";

// What a procedure takes is declared where it stands: those with an address say it to the reference, those without one
// to the services that ask them as well.

/** A request that looks for its response only once the caller is let through. */
type Call = (asked: { ctx: { caller: Caller }; getRawInput: () => Promise<unknown> }) => Promise<unknown>;

const procedures = Object.entries({ orgs, content, sites, integrations }).flatMap(([service, router]) =>
  Object.entries((router as AnyRouter)._def.procedures as Record<string, Call & { _def: Defined }>).map(
    ([name, procedure]) => ({ name: `${service} ${name}`, procedure, meta: procedure._def.meta }),
  ),
);
interface Defined {
  type: "query" | "mutation";
  meta?: OperationMeta;
}

const internal = procedures.filter(({ meta }) => !meta?.openapi);

/** The first refusal that a service meets, without any input. */
async function refusalTo(service: ServiceName, { procedure, name }: (typeof procedures)[number]) {
  const request = {
    ctx: { caller: { kind: "service" as const, service } },
    getRawInput: async () => undefined,
    path: name,
    type: procedure._def.type,
    batchIndex: 0,
    signal: undefined,
  };
  const error: unknown = await procedure(request).then(
    () => undefined,
    (error: unknown) => error,
  );
  return describeError(error).message;
}

test("every procedure declares its permission, and those without a route which services may call it", () => {
  const silent = procedures.filter(({ meta }) => !meta?.permission).map(({ name }) => name);
  const anybodys = internal.filter(({ meta }) => !meta?.services).map(({ name }) => name);
  expect({ silent, anybodys }).toEqual({ silent: [], anybodys: [] });
  expect(internal.length).toBeGreaterThan(15);
});

test.each(internal)("$name lets through the services that it names, and no other", async (one) => {
  for (const service of SERVICES) {
    const refused = (await refusalTo(service, one)).startsWith("Caller: the service");
    expect([service, refused]).toEqual([service, !one.meta!.services!.includes(service)]);
  }
});
