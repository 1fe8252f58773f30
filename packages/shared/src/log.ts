import { type Logger, pino } from "pino";

export type { Logger };

/** JSON lines on standard output. Secrets never reach a log: what carries them is redacted here. */
export function createLog({ service, level = "info" }: { service: string; level?: string }): Logger {
  return pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ["authorization", "*.authorization", "token", "*.token", "secrets", "*.secrets"],
    formatters: { level: (label) => ({ level: label }) },
  });
}
