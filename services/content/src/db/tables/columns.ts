import type { ColumnType } from "kysely";

export type Timestamp = ColumnType<string, string | Date | undefined, string | Date>;
export type OptionalTimestamp = ColumnType<
  string | null,
  string | Date | null | undefined,
  string | Date | null
>;
export type Json<T> = ColumnType<T, string, string>;
export type OptionalJson<T> = ColumnType<T | null, string | null | undefined, string | null>;
