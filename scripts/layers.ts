/**
 * The order of dependency inside each service: a folder or file of `src` imports those before it, and none after it.
 * What is not in a list yet has no place, and the check asks for one.
 */
export const layers: Record<string, string[]> = {
  shared: [
    // What clients, tests and renderers may use by itself: the shapes on the wire and in events.
    "contracts",
    // The framework that services are made of.
    ...[
      "log",
      "urls",
      "ids",
      "turns",
      "shares",
      "drain",
      "database",
      "errors",
      "access",
      "cursor",
      "context",
    ],
    ...["workers", "rest", "identity", "bearer", "reader-tokens", "secrets", "dns", "egress"],
    ...["events", "jobs", "audit"],
    ...["trpc", "client", "paginate", "config", "http", "service", "repeat", "commands"],
  ],
  content: [
    // What needs no database: rows as types, texts, threads, and the outside world behind interfaces.
    ...[
      "permissions",
      "openapi-documents",
      "db",
      "documents",
      "press",
      "work",
      "storage",
      "translators",
      "orgs",
      "cache",
      "trpc",
    ],
    // Who may do what, and who did it.
    ...["people", "audit", "access"],
    // Versioned content, and what follows from it.
    ...["store", "files", "references", "search-index", "migrations", "revisions"],
    // The operations.
    ...["pages", "templates", "library", "review", "reading", "git", "import", "specs", "translations"],
    ...["migrations.ts", "config", "dependencies", "jobs", "subscriptions", "router", "client"],
    ...["main", "migrate", "dead-letters"],
  ],
  orgs: [
    ...["permissions", "db", "network", "trpc", "audit", "access", "mail"],
    ...["accounts", "admission", "organization", "membership", "sign-in", "granted-spaces", "audit-events"],
    ...[
      "migrations",
      "migrations.ts",
      "config",
      "subscriptions",
      "router",
      "client",
      "main",
      "migrate",
      "dead-letters",
    ],
  ],
  sites: [
    ...["permissions", "claims", "db", "content", "trpc", "audit", "tree", "store", "access", "audience"],
    ...["publishing-auth", "share-links", "adaptive-schema", "preview"],
    ...["site-spaces", "sections", "section-groups", "structure", "customization", "fonts"],
    ...["redirects", "search", "insights", "mcp-servers", "sites", "publishing", "releases"],
    ...["custom-hostnames", "urls"],
    ...["migrations", "migrations.ts", "config", "router", "client", "main", "migrate", "dead-letters"],
  ],
  integrations: [
    ...[
      "permissions",
      "schemas",
      "runtime",
      "db",
      "orgs",
      "content",
      "sites",
      "trpc",
      "audit",
      "store",
      "access",
      "event-queue",
      "uninstall",
    ],
    ...[
      "integrations",
      "installations",
      "content-installations",
      "space-integrations",
      "site-integrations",
      "tokens",
      "events",
      "public-endpoints",
      "render",
      "content-sources",
      "webhooks",
      "tasks",
      "dev-mode",
    ],
    ...[
      "migrations",
      "migrations.ts",
      "config",
      "jobs",
      "router",
      "client",
      "main",
      "migrate",
      "dead-letters",
    ],
  ],
};
