/**
 * `npm run complete-lock`, after an install that changed the lock file: writes down the native packages of other
 * platforms. npm leaves out those that its registry did not serve (a partial mirror), and then `npm ci` refuses the file
 * everywhere. Without an integrity such an entry is looked up by name and version where it is needed.
 */
import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("../package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(file, "utf8"));
const systems = { windows: "win32" };
const processors = { 64: "x64" };
const added = [];

for (const [place, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`;
    if (lock.packages[key] || lock.packages[`${place}/${key}`]) continue;
    const platform =
      /(android|darwin|freebsd|linux|win32|windows)-(\w+?)(?:-(musl|gnu)?(?:eabi|eabihf|msvc)?)?$/.exec(name);
    if (!platform || !/^\d/.test(version))
      throw new Error(`${name}@${version}: not a package of one platform`);
    const [, system, processor, libc] = platform;
    lock.packages[key] = {
      version,
      cpu: [processors[processor] ?? processor],
      ...(entry.dev && { dev: true }),
      ...(libc && { libc: [libc === "musl" ? "musl" : "glibc"] }),
      optional: true,
      os: [systems[system] ?? system],
    };
    added.push(name);
  }
}

if (added.length > 0) {
  const inOrder = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, "en"));
  lock.packages = Object.fromEntries(inOrder);
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
process.stdout.write(added.length > 0 ? `Added: ${added.join(", ")}\n` : "Complete\n");
