import { createHmac } from "node:crypto";
import { join } from "node:path";
import { createCoalescer } from "@octavo/shared/coalesce";
import type { Foundation } from "@octavo/shared/service";
import { createContentCache } from "./cache.js";
import { bucketOf, type Config, translationOf } from "./config.js";
import type { Database } from "./db/database.js";
import { removeLeftClones } from "./git/clone.js";
import { createSpecReader } from "./openapi-documents/reader.js";
import { orgsAt } from "./orgs/client.js";
import { createPresses } from "./press/presses.js";
import { localStorage } from "./storage/local-storage.js";
import { s3Storage } from "./storage/s3-storage.js";
import { checkFolder } from "./storage/staging.js";
import { translatorOf } from "./translators/configured.js";
import type { Dependencies } from "./trpc.js";
import { createWork } from "./work/threads.js";
import { createWholeReads } from "./work/whole-reads.js";

/** Milliseconds after the start after which the thread for long texts is started. */
const WARM_MS = 2_000;

/** What the rules of content reach besides the database. */
export async function dependencies(
  { egress, vault, ownIdentity, log }: Foundation<Database>,
  config: Config,
): Promise<Dependencies> {
  const folder = join(config.OCTAVO_DATA_DIR, "files");
  const workFolder = join(config.OCTAVO_DATA_DIR, "git");
  await checkFolder(folder);
  const bucket = bucketOf(config);
  const storage = bucket
    ? await s3Storage(bucket, { folder: join(folder, "incoming"), log })
    : localStorage(folder);
  await removeLeftClones(workFolder);
  const downloadKey = createHmac("sha256", config.OCTAVO_SECRET_KEY)
    .update("octavo downloads")
    .digest("base64url");
  const work = createWork();
  // Not before others have started: it takes a second of a processor.
  const warm = () => work.warm().catch((error: unknown) => log.warn({ err: error }, "no thread was started"));
  setTimeout(warm, WARM_MS).unref();
  return {
    egress,
    vault,
    downloadKey,
    orgs: orgsAt({ url: config.OCTAVO_ORGS_URL, ownIdentity }),
    storage,
    workFolder,
    cache: createContentCache(),
    coalesce: createCoalescer(),
    wholeReads: createWholeReads(),
    work,
    specReader: createSpecReader(),
    keptSpecVersions: config.OCTAVO_OPENAPI_VERSIONS,
    presses: createPresses({ folder: join(config.OCTAVO_DATA_DIR, "pdf") }),
    translator: translatorOf(translationOf(config)),
  };
}
