import { initTRPC } from "@trpc/server";
import type { Caller, ServiceName } from "./contracts/callers.js";
import type { Permissions } from "./contracts/permissions.js";
import { describe, refuse, STATUS } from "./errors.js";
import { SMALL_BODY } from "./rest/body.js";
import { type Deprecation, deprecationHeaders } from "./rest/deprecation.js";
import type { OperationMeta } from "./rest/operation.js";
import { type Declared, describePermission, permissionOf } from "./rest/permission.js";

export { ANYBODY, OWN_ACCOUNT } from "./rest/permission.js";

const OF_SERVICES = { actions: [], none: "it is for services alone" };

type Verb = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** What an operation takes; a service without a table of permissions has nothing to declare. */
type Permitted<Action extends string> = [Action] extends [never]
  ? { permission?: undefined; also?: undefined }
  : {
      /** What it takes, as its rule guards it: an action, all of several, or why none. */
      permission: Declared<Action>;
      /** What the actions do not express: who else may, or what else is required. One or two sentences. */
      also?: string;
    };

export type Options<Context, Action extends string = never> = CommonOptions<Context> & Permitted<Action>;

/** What a procedure says about itself that has no address: who of the services asks it, and what it takes of others. */
type InternalOptions<Action extends string> = [Action] extends [never]
  ? { services?: readonly ServiceName[] }
  : {
      /** The services that ask it with an identity of their own; empty where they only hand on somebody else's. */
      services: readonly ServiceName[];
    } & Permitted<Action>;

interface CommonOptions<Context> {
  /** Name of the operation in the OpenAPI document. */
  operationId?: string;
  /** What it does, in one line of the reference. */
  summary: string;
  status?: number;
  /** Fields of the input that a POST, PUT or PATCH takes from the query string. */
  query?: string[];
  /** Since when it should not be used, and when it may be gone; responses say so in headers. */
  deprecated?: Deprecation;
  /** The scope with which integrations may do this; without one they may not. */
  scope?: string;
  /** The service whose scopes a restricted token needs for it, where that is not the one that serves it. */
  scopesOf?: ServiceName;
  /** Whether visitors of a published site may do this, by the token that a renderer reads with; else they may not. */
  reader?: true;
  /** Most bytes that the body may have, where the default of 256 KiB is not right; larger ones need `admit`. */
  maxBody?: number;
  /**
   * Refuses callers who may not do this with what the path names, before a body beyond 256 KiB is read; `input` is the
   * path's part of the input. What it finds may change: the rule decides again.
   */
  admit?: (call: { ctx: Context; input: never }) => Promise<unknown>;
}

/**
 * The typed verbs of a service. `get("/spaces/{spaceId}").input(…).output(…).query(rule)` is one operation of the
 * REST interface and one tRPC procedure. `{name*}` as the last part of a path takes the rest of it. `internal`, `shown`
 * and `service` procedures are tRPC only: the first for the services named and for callers whom a service hands on,
 * except visitors of sites, the second for these as well, the third for the services named alone. With a table of
 * permissions every operation has to declare what it takes of it, and those without an address which services ask.
 */
export function createApi<
  Context extends { caller: Caller },
  // biome-ignore lint/complexity/noBannedTypes: no table has no actions, of which `Permissions` would have all.
  Table extends Permissions = {},
>(permissions?: Table) {
  const t = initTRPC
    .context<Context>()
    .meta<OperationMeta>()
    .create({
      isDev: false,
      errorFormatter: ({ shape, error }) => {
        const { code, message, details } = describe(error);
        const { reason, issues } = details;
        const data = { code, httpStatus: STATUS[code], path: shape.data.path, refusal: { reason, issues } };
        return { code: shape.code, message, data };
      },
    });

  const verb =
    (method: Verb, defaultStatus: number) =>
    (path: `/${string}`, options: Options<Context, keyof Table & string>) => {
      const {
        status = defaultStatus,
        query,
        maxBody,
        admit,
        scope,
        scopesOf,
        reader,
        deprecated,
        permission,
        also,
        ...openapi
      } = options as Options<Context, string>;
      const taken = permissions && permission ? permissionOf(permission, permissions, also) : undefined;
      if (maxBody !== undefined && maxBody > SMALL_BODY && !admit)
        throw new Error(`${method} ${path} takes large bodies and does not say from whom`);
      if (deprecated) deprecationHeaders(deprecated);
      const catchAll = /\{(\w+)\*\}$/.exec(path)?.[1];
      const plain = path.replace("*}", "}") as `/${string}`;
      return t.procedure.meta({
        openapi: {
          method,
          path: plain,
          ...openapi,
          ...(deprecated && { deprecated: true }),
          ...(taken && { description: describePermission(taken, reader) }),
        },
        deprecated,
        status,
        permission: taken,
        catchAll,
        scope,
        scopesOf,
        reader,
        query,
        maxBody,
        admit,
      });
    };

  type Action = keyof Table & string;
  /** Procedures for callers whom a service hands on, and for the services named; for any where none is. */
  const internal = (options: InternalOptions<Action>, reader?: true) => {
    const { services, permission, also } = options as InternalOptions<string> & { services?: ServiceName[] };
    const taken = permissions && permission ? permissionOf(permission, permissions, also) : undefined;
    return t.procedure.meta({ reader, services, permission: taken }).use(({ ctx: { caller }, next }) => {
      if (caller.kind === "service" && services && !services.includes(caller.service))
        refuse("FORBIDDEN", `Caller: the service ${caller.service} may not do this`);
      return next();
    });
  };
  /** Procedures for the services named. */
  const service = (...services: [ServiceName, ...ServiceName[]]) =>
    t.procedure.meta({ services, permission: OF_SERVICES }).use(({ ctx: { caller }, next }) => {
      if (caller.kind !== "service") refuse("FORBIDDEN", "Caller: only services may do this");
      if (!services.includes(caller.service))
        refuse("FORBIDDEN", `Caller: the service ${caller.service} may not do this`);
      return next();
    });

  return {
    router: t.router,
    createCaller: t.createCallerFactory,
    get: verb("GET", 200),
    post: verb("POST", 201),
    patch: verb("PATCH", 200),
    put: verb("PUT", 200),
    del: verb("DELETE", 204),
    internal: (options: InternalOptions<Action>) => internal(options),
    /** Like `internal`, and for visitors of a published site too, whose identity a service hands on. */
    shown: (options: InternalOptions<Action>) => internal(options, true),
    service,
  };
}
