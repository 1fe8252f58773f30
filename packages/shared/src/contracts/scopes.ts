/** What a token may be restricted to: reading, or reading and writing, what a service holds. */
export const SCOPES = [
  "orgs:read",
  "orgs:write",
  "content:read",
  "content:write",
  "sites:read",
  "sites:write",
  "integrations:read",
  "integrations:write",
] as const;
export type Scope = (typeof SCOPES)[number];

/** Whether a caller with these scopes may send this request to a service; without scopes, everything is let through. */
export function withinScopes(scopes: string[] | undefined, service: string, method: string): boolean {
  if (!scopes || scopes.includes(`${service}:write`)) return true;
  return (method === "GET" || method === "HEAD") && scopes.includes(`${service}:read`);
}

/** Whether whoever holds the one set of scopes may hand out the other. */
export function coversScopes(own: string[] | undefined, wanted: string[] | undefined): boolean {
  if (!own) return true;
  return (
    wanted?.every((scope) => own.includes(scope) || own.includes(scope.replace(":read", ":write"))) ?? false
  );
}
