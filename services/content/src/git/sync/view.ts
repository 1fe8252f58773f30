import type { Ctx } from "../../trpc.js";
import type { Row } from "../sync-queries.js";
import type { SyncSettings } from "./schema.js";

interface Shown {
  row: Row;
  settings: SyncSettings;
  conflict: string | undefined;
  secret?: string;
}

/** How a space is kept in step, without credentials. */
export function syncSettingsView({ urls }: Ctx, { row, settings, conflict, secret }: Shown) {
  const plain = new URL(settings.url);
  plain.username = "";
  plain.password = "";
  return {
    url: plain.href,
    ref: settings.ref,
    repoProjectDirectory: settings.repoProjectDirectory ?? "",
    webhookURL: urls.api`/spaces/${row.space}/git/webhook`,
    secret,
    checkedAt: row.checked_at ?? undefined,
    paused: row.paused ?? undefined,
    conflict,
  };
}
