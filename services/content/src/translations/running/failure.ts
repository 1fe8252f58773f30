import type { TranslationErrorCode } from "../../db/tables/translations.js";
import { ProviderError } from "../../translators/translator.js";

/** Why a run makes nothing, in words for who started it. */
export class RunError extends Error {
  readonly code: TranslationErrorCode;

  constructor(code: TranslationErrorCode, message: string) {
    super(message);
    this.name = "RunError";
    this.code = code;
  }
}

/** What an error reports about a run; undefined for one that is unrelated. */
export function failureOf(error: unknown): { code: TranslationErrorCode; message: string } | undefined {
  if (error instanceof RunError) return { code: error.code, message: error.message };
  return error instanceof ProviderError ? { code: "PROVIDER_ERROR", message: error.message } : undefined;
}
