import { refuse } from "@octavo/shared/errors";
import { GitError } from "../git/failure.js";
import { isRefName } from "../git/ref-name.js";
import { fetchRepository } from "../git/repository.js";
import type { Ctx } from "../trpc.js";
import { type Archive, MOST_ENTRIES } from "./material/archive.js";
import type { Skipped } from "./material/skipped.js";

/** Whether an address is that of a git repository: its path ends with `.git`. */
export const isRepository = (url: string): boolean => new URL(url).pathname.endsWith(".git");

/**
 * Fetches a commit of a repository, as an archive of its files. Behind `#` the address may name a branch or tag and a
 * folder, as in `…/docs.git#main:guides`. Symbolic links and submodules are left out. 400 when it cannot be fetched.
 */
export async function openRepository(
  ctx: Ctx,
  address: string,
  { skipped, signal }: { skipped: Skipped; signal: AbortSignal },
): Promise<{ archive: Archive; close(): Promise<void> }> {
  const { url, ref, folder } = placeIn(address);
  const { egress, workFolder } = ctx;
  const repository = await fetchRepository({ url, ref, folder: workFolder, egress, signal }).catch(
    unreachable,
  );
  try {
    const files = new Map<string, { oid: string; size: number }>();
    for await (const { kind, path, oid, size } of repository.entries(folder)) {
      const composed = path.normalize("NFC");
      if (kind === "file") files.set(files.has(composed) ? path : composed, { oid, size });
      else skipped.add("symlink", path);
      if (files.size > MOST_ENTRIES)
        refuse("BAD_REQUEST", `body.url: the repository has more than ${MOST_ENTRIES} files`, {
          reason: "too_large",
        });
    }
    const read = async (path: string, limit: number) => {
      const file = files.get(path);
      if (!file || file.size > limit) return undefined;
      for await (const content of repository.contents([file.oid])) return Buffer.from(content);
      return undefined;
    };
    return { archive: { paths: [...files.keys()], read }, close: repository.close };
  } catch (error) {
    await repository.close();
    return unreachable(error);
  }
}

function placeIn(address: string) {
  const url = new URL(address);
  const [ref = "", folder = ""] = decodeURIComponent(
    url.hash.slice(1).replace(/%(?![0-9a-f]{2})/gi, "%25"),
  ).split(":", 2);
  url.hash = "";
  if (ref !== "" && !isRefName(`refs/heads/${ref}`))
    refuse("BAD_REQUEST", "body.url: what stands behind # is no ref");
  const parts = folder.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) refuse("BAD_REQUEST", "body.url: the folder leads out of the repository");
  return { url: url.href, ref: ref || "HEAD", folder: parts.join("/") };
}

function unreachable(error: unknown): never {
  if (!(error instanceof GitError)) throw error;
  return refuse("BAD_REQUEST", `body.url: ${error.message}`, {
    reason: error.reason ?? "unreachable",
    cause: error,
  });
}
