import type { Ref } from "@octavo/markdown/document/refs";

/** What a page, or a document, is computed from. */
export interface ComputedSource {
  type: string;
  props?: Record<string, unknown>;
  dependencies?: Record<string, { ref?: Ref; value?: unknown }>;
}

export const OPENAPI = "builtin:openapi";

/** The slug of the specification that a source depends on. */
export function specOf({ dependencies }: ComputedSource): string | undefined {
  const ref = dependencies?.spec?.ref as { kind?: string; spec?: unknown } | undefined;
  return ref?.kind === "openapi" && typeof ref.spec === "string" ? ref.spec : undefined;
}

/** Whether an integration computes a source: its type names the integration and one of its content sources. */
export const isOfIntegration = ({ type }: ComputedSource): boolean => type.startsWith("integration:");

/** The name of the integration that computes a source. */
export const integrationOf = ({ type }: ComputedSource): string => type.split(":")[1] ?? "";
