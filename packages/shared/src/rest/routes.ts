import type { AnyRouter } from "@trpc/server";
import type { z } from "zod";
import type { ServiceName } from "../contracts/callers.js";
import { SMALL_BODY } from "./body.js";
import type { Deprecation } from "./deprecation.js";
import type { Admission, OperationMeta } from "./operation.js";
import type { Permission } from "./permission.js";

/** One operation of the REST interface, as its router declares it. */
export interface Operation {
  method: string;
  /** The template, with `{name*}` for a parameter that takes the rest of the path. */
  path: string;
  /** The name of the tRPC procedure, such as `collections.list`. */
  name: string;
  type: "query" | "mutation";
  status: number;
  deprecated?: Deprecation;
  /** Whether its requests have a body, from which every field comes that is not in the path or the query. */
  hasBody: boolean;
  /** Fields that come from the query string. */
  query: string[];
  /** Most bytes of its body. */
  maxBody: number;
  /** Whether the caller may send more than a small body. */
  admit?: Admission;
  /** The scope with which integrations may do this. */
  scope?: string;
  /** The service whose scopes a restricted token needs for it; by default the one that serves it. */
  scopesOf?: ServiceName;
  /** Whether visitors of a published site may do this, by the token that a renderer reads with. */
  reader?: boolean;
  /** What it takes. */
  permission?: Permission;
  input?: z.ZodObject;
  /** Whether its responses have no body. */
  empty: boolean;
}

interface ProcedureDefinition {
  meta?: OperationMeta;
  inputs: z.ZodType[];
  output?: z.ZodType;
  type: "query" | "mutation";
}

/** All operations that a router offers over REST; procedures without a path stay private. */
export function operationsOf(router: AnyRouter): Operation[] {
  return Object.entries(router._def.procedures as Record<string, { _def: ProcedureDefinition }>).flatMap(
    ([name, { _def }]) => {
      const openapi = _def.meta?.openapi;
      if (!openapi) return [];
      const {
        status = 200,
        catchAll,
        query = [],
        maxBody = SMALL_BODY,
        admit,
        scope,
        scopesOf,
        reader,
        deprecated,
        permission,
      } = _def.meta!;
      const hasBody = openapi.method !== "GET" && openapi.method !== "DELETE";
      const input = _def.inputs[0] as z.ZodObject | undefined;
      const beside = Object.keys(input?.shape ?? {}).filter((name) => !openapi.path.includes(`{${name}}`));
      return {
        method: openapi.method,
        path: catchAll ? openapi.path.replace(`{${catchAll}}`, `{${catchAll}*}`) : openapi.path,
        name,
        type: _def.type,
        status,
        deprecated,
        hasBody,
        query: hasBody ? query : beside,
        maxBody,
        admit,
        scope,
        scopesOf,
        reader,
        permission,
        input,
        empty: _def.output?.def.type === "void",
      };
    },
  );
}

/** A route as the gateway needs it. */
export interface Route {
  method: string;
  path: string;
  operation: string;
  status: number;
  auth?: "none";
  /** Takes forms as well as JSON. */
  form?: true;
  /** Takes bodies of any type. */
  anyType?: true;
  /** Counted by the address that asks, for there is no token to count by: as a sign-in, or as a visit. */
  limit?: "address" | "visit";
  /** Most bytes of its body, where that is not `SMALL_BODY`. */
  maxBody?: number;
  /** Since when, and until when, where it is to go. */
  deprecated?: Deprecation;
}

/** What a raw route says about itself. */
export interface RawDeclaration {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  name: string;
  /** Whether browsers post forms to it. */
  form?: true;
  /** Whether its body may be of any type. */
  anyType?: true;
  /** Whether the gateway counts who asks by their address: as a sign-in, or as a visit. */
  limit?: "address" | "visit";
  /** Most bytes that the body may have, where the default of 256 KiB is not right. */
  maxBody?: number;
  openapi: RawDescription;
}

/** A raw route in the OpenAPI document, which cannot be read from schemas. */
export interface RawDescription {
  operationId: string;
  summary: string;
  status?: number;
  /** What it returns, unless it redirects the browser. */
  response?: RawContent;
  query?: string[];
  body?: RawContent;
}

interface RawContent {
  type: string;
  schema?: Record<string, unknown>;
}

/** The routes of a service: its operations, and the raw ones that are served without a bearer. */
export function routesOf(router: AnyRouter, raw: RawDeclaration[] = []): Route[] {
  const operations = operationsOf(router).map(({ method, path, name, status, maxBody, deprecated }) => ({
    method,
    path,
    operation: name,
    status,
    ...(maxBody !== SMALL_BODY && { maxBody }),
    ...(deprecated && { deprecated }),
  }));
  const open = raw.map(
    ({ method, path, name, form, anyType, limit, maxBody, openapi: { status = 200 } }) => ({
      method,
      path,
      operation: name,
      status,
      auth: "none" as const,
      ...(form && { form }),
      ...(anyType && { anyType }),
      ...(limit && { limit }),
      ...(maxBody && { maxBody }),
    }),
  );
  return [...operations, ...open];
}
