import { createHash } from "node:crypto";
import type { Ctx } from "../trpc.js";
import * as queries from "./queries.js";
import type { ComputedSource } from "./source.js";

/** Names a source, whatever its dependencies are at present. */
export const keyOf = ({ type, props, dependencies = {} }: ComputedSource): string =>
  hashOf([type, props ?? {}, Object.entries(dependencies).map(([name, { ref }]) => [name, ref])]);

/** A source with what it depends on as that is now, and a name for this state. */
export interface Resolved {
  source: ComputedSource;
  inputs: string;
}

/** Dependencies of one source that are resolved. */
const MOST = 20;

interface Place {
  space: string;
  organization: string;
  /** The version of the integration that computes it. */
  version: number;
}

/**
 * Resolves the first twenty dependencies of a source to specifications and spaces of its organization; null for all
 * others. The revision of the space that the source is in does not count: what is computed adds one.
 */
export async function resolveSource(
  ctx: Ctx,
  { space, organization, version }: Place,
  source: ComputedSource,
): Promise<Resolved> {
  const dependencies: ComputedSource["dependencies"] = {};
  const states: unknown[] = [version];
  for (const [at, [name, { ref }]] of Object.entries(source.dependencies ?? {}).entries()) {
    const named = (ref ?? {}) as Named;
    const value = at < MOST ? await present(ctx, organization, named) : null;
    dependencies[name] = { ref, value };
    states.push([name, named.space === space ? null : value]);
  }
  return { source: { ...source, dependencies }, inputs: hashOf(states) };
}

interface Named {
  kind?: string;
  spec?: string;
  space?: string;
}

async function present(ctx: Ctx, organization: string, { kind, spec, space }: Named) {
  if (kind === "openapi" && typeof spec === "string") {
    const version = await queries.versionAt(ctx, organization, spec, null);
    return version ? { object: "openapi-spec", id: version.spec, slug: spec, lastVersion: version.id } : null;
  }
  if (kind !== "space" || typeof space !== "string") return null;
  const revision = await queries.revisionOf(ctx, organization, space);
  return revision === undefined ? null : { object: "space", id: space, revision };
}

const hashOf = (value: unknown) =>
  createHash("sha256")
    .update(JSON.stringify(sorted(value)))
    .digest("base64url");

/** The same value with its fields in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([name, each]) => [name, sorted(each)]);
}
