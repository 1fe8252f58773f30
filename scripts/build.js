/**
 * `npm run build [-- --filter=./services/content]`: builds what has changed. One line says so; what turbo prints is shown
 * when it fails. All of it goes to stderr, so that commands which build first have stdout to themselves.
 */
import { spawn } from "node:child_process";

process.stderr.write("Building what has changed\n");
const turbo = spawn("turbo", ["run", "build", "--output-logs=errors-only", ...process.argv.slice(2)], {
  stdio: ["ignore", "pipe", "pipe"],
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1" },
});
const output = [];
for (const stream of [turbo.stdout, turbo.stderr]) stream.on("data", (chunk) => output.push(chunk));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => turbo.kill(signal));
turbo.once("error", ({ message }) => {
  process.stderr.write(`${message}\nRun it by npm, which knows where turbo is: npm run build\n`);
  process.exitCode = 1;
});
turbo.once("close", (code, signal) => {
  if (code === 0) return;
  process.stderr.write(Buffer.concat(output));
  process.exitCode = signal ? 130 : code;
});
