import { createJobHandler, schedule } from "@octavo/shared/jobs/handle";
import { follow, followSpec, showAnew, showSpace } from "./computed/jobs.js";
import { collect } from "./files/collect.js";
import { collectStored } from "./files/jobs.js";
import { runExport } from "./git/export/run.js";
import { runImport } from "./git/import.js";
import { exportGit, importGit, MOST_TRIES } from "./git/jobs.js";
import * as operations from "./git/operations.js";
import { discard } from "./git/staged.js";
import { pollBranches } from "./git/sync/jobs.js";
import { keepInStep, poll } from "./git/sync/step.js";
import { importContentJob } from "./import/jobs.js";
import * as importing from "./import/run.js";
import { forgetDepartures } from "./library/grants/departures.js";
import { pruneDepartures } from "./library/grants/jobs.js";
import { purgeAllDue, purgeDue, purgeSpace } from "./library/spaces/jobs.js";
import { purge } from "./library/spaces/purge.js";
import { keepInStepJob } from "./revisions/keep-in-step.js";
import { indexPending } from "./search-index/index-pending.js";
import {
  keepAllEditions,
  keepAllEditionsJob,
  keepEditions,
  keepEditionsJob,
} from "./search-index/keep-editions.js";
import { indexAllPending, indexAllPendingJob, indexPendingJob } from "./search-index/pending.js";
import { readAll, readSpecFiles } from "./spec-files/jobs.js";
import { processSpec, refreshDue, refreshSpecs } from "./specs/processing/jobs.js";
import { abandon, processSource } from "./specs/processing/process.js";
import { analyzeTables, refreshStatistics } from "./store/statistics.js";
import { followAll, followSources, runTranslation } from "./translations/running/jobs.js";
import * as translating from "./translations/running/run.js";
import type { Ctx } from "./trpc.js";

const handleJob = createJobHandler<Ctx>();

/** An operation with a repository: while the remote is away it is tried again. */
const ofGit = (job: typeof importGit, run: typeof runImport) =>
  handleJob(
    job,
    async ({ ctx, payload, job, signal }) => {
      const operation = await operations.findRunning(ctx, payload.operation);
      if (operation) await run(ctx, operation, signal, { isLast: job.attempt >= MOST_TRIES });
    },
    async ({ ctx, payload }) => {
      const operation = await operations.findRunning(ctx, payload.operation);
      if (!operation) return;
      await operations.fail(ctx, operation, { message: `The ${operation.direction} failed unexpectedly` });
      await discard(ctx, operation);
    },
  );

/** What the service does beside its requests. */
export const jobHandlers = [
  ofGit(importGit, runImport),
  ofGit(exportGit, runExport),
  handleJob(keepInStepJob, ({ ctx, payload, job, signal }) =>
    keepInStep(ctx, { space: payload.space, signal, isLast: job.attempt >= MOST_TRIES }),
  ),
  handleJob(pollBranches, ({ ctx, signal }) => poll(ctx, signal)),
  handleJob(
    importContentJob,
    ({ ctx, payload, signal }) => importing.runImport(ctx, payload.import, signal),
    ({ ctx, payload }) => importing.abandon(ctx, payload.import),
  ),
  handleJob(purgeDue, ({ ctx }) => purgeAllDue(ctx)),
  handleJob(purgeSpace, ({ ctx, payload, signal }) => purge(ctx, payload.space, { signal })),
  handleJob(pruneDepartures, async ({ ctx, signal }) => {
    while (await forgetDepartures(ctx, 1000)) signal.throwIfAborted();
  }),
  handleJob(refreshStatistics, ({ ctx }) => analyzeTables(ctx)),
  handleJob(keepEditionsJob, ({ ctx, payload, signal }) => keepEditions(ctx, payload.space, signal)),
  handleJob(keepAllEditionsJob, ({ ctx }) => keepAllEditions(ctx)),
  handleJob(indexPendingJob, ({ ctx, payload, signal }) => indexPending(ctx, payload.space, signal)),
  handleJob(indexAllPendingJob, ({ ctx }) => indexAllPending(ctx)),
  handleJob(collectStored, ({ ctx, signal }) => collect(ctx, signal)),
  handleJob(
    processSpec,
    ({ ctx, payload, signal }) => processSource(ctx, payload.spec, signal),
    ({ ctx, payload }) => abandon(ctx, payload.spec),
  ),
  handleJob(readSpecFiles, ({ ctx, payload, signal }) => readAll(ctx, payload.hashes, { signal })),
  handleJob(followSpec, ({ ctx, payload }) => follow(ctx, payload)),
  handleJob(showSpace, ({ ctx, payload }) => showAnew(ctx, payload)),
  handleJob(refreshSpecs, ({ ctx, signal }) => refreshDue(ctx, signal)),
  handleJob(
    runTranslation,
    ({ ctx, payload, signal }) => translating.translate(ctx, payload.translation, signal),
    ({ ctx, payload }) => translating.abandon(ctx, payload.translation),
  ),
  handleJob(followSources, ({ ctx }) => followAll(ctx)),
];

/**
 * What it does again and again: hourly, so that a space goes within the hour after its seven days. Addresses of OpenAPI
 * documents are due at times of their own.
 */
export const schedules = [
  schedule("*/5 * * * *", pollBranches, {}),
  schedule("7 * * * *", purgeDue, {}),
  schedule("17 * * * *", pruneDepartures, {}),
  schedule("37 * * * *", collectStored, {}),
  schedule("47 * * * *", keepAllEditionsJob, {}),
  schedule("57 * * * *", indexAllPendingJob, {}),
  schedule("*/5 * * * *", refreshSpecs, {}),
  schedule("*/10 * * * *", followSources, {}),
];
