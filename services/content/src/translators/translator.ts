/** A language as spaces name it: `en`, `pt-br`. */
export interface TranslationRequest {
  /** Segments: texts with tags such as `<g1>…</g1>` and `<x2/>` in them. */
  texts: string[];
  from: string;
  to: string;
  /** What the organization asks of the translation, in words. */
  instructions: string;
  /** Terms of the source language, and what they are called in the other. */
  glossary: [term: string, translation: string][];
}

/** What translates texts. The operator configures which one. */
export interface Translator {
  /** Returns a translation for each text, in their order. Throws `ProviderError` when there is none to be had. */
  translate(request: TranslationRequest, signal: AbortSignal): Promise<string[]>;
}

/** A provider that cannot be reached, refuses, or says what is no translation. */
export class ProviderError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ProviderError";
  }
}

/** The texts that a provider returned, if they are as many as it was given. */
export function textsIn(value: unknown, count: number): string[] {
  if (Array.isArray(value) && value.length === count && value.every((text) => typeof text === "string"))
    return value;
  throw new ProviderError("The provider returned something other than a translation of each text");
}
