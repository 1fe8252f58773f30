import type { OpenApiMeta } from "trpc-to-openapi";
import type { ServiceName } from "../contracts/callers.js";
import type { Deprecation } from "./deprecation.js";
import type { Permission } from "./permission.js";

/** An admission as it is called, with the context and the path's part of the input of its own operation. */
export type Admission = (call: { ctx: never; input: never }) => Promise<unknown>;

/** What an operation says about itself on the wire; `openapi` is what trpc-to-openapi reads. */
export type OperationMeta = OpenApiMeta<{
  status?: number;
  permission?: Permission;
  catchAll?: string;
  scope?: string;
  /** Of a procedure without an address: the services that may ask it with an identity of their own. */
  services?: readonly ServiceName[];
  scopesOf?: ServiceName;
  reader?: boolean;
  query?: string[];
  maxBody?: number;
  deprecated?: Deprecation;
  admit?: Admission;
}>;
