import type { Operation, Stage } from "./operations.js";
import type { Skipped } from "./skipped.js";

/** An operation as clients see it; the request stays sealed. */
export const operationView = (operation: Operation) => ({
  state: operation.state,
  direction: operation.direction,
  stage: operation.stage as Stage,
  dispatchedTasks: operation.dispatched_tasks,
  completedTasks: operation.completed_tasks,
  startedAt: operation.started_at,
  updatedAt: operation.updated_at,
  completedAt: operation.completed_at ?? undefined,
  error: operation.error ?? undefined,
  reason: operation.reason ?? undefined,
  revision: operation.revision ?? undefined,
  skipped: operation.skipped?.length ? (operation.skipped as Skipped[]) : undefined,
});
