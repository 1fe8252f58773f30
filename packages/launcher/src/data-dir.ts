import { accessSync, constants, mkdirSync } from "node:fs";

/** Makes the data directory when it is missing. Throws when it cannot be used, and says what would help. */
export function openDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    throw new Error(
      `The data directory ${dataDir} cannot be used: ${reasons[code] ?? message}.\nSet OCTAVO_DATA_DIR to a directory that this account may write`,
    );
  }
}

const reasons: Record<string, string> = {
  EACCES: "this account may not write there",
  EPERM: "this account may not write there",
  EROFS: "the file system is read-only",
  EEXIST: "it is a file",
  ENOTDIR: "a part of the path is a file",
};
