import { createClient } from "../tests/harness/client.js";
import { startStack } from "../tests/harness/stack.js";
import { serveRepository } from "@octavo/shared/testing/git-server";
import { importInto } from "./imports.js";
import { processesOf } from "./library.js";
import { realTexts, repositoryOf } from "./texts.js";
import { readdirSync, readFileSync } from "node:fs";
const N = Number(process.argv[2] ?? 10000), times = Number(process.argv[3] ?? 1);
const stack = await startStack(); const call = createClient(stack);
const texts = realTexts(N, 4300); const folder = repositoryOf(texts); const repository = await serveRepository(folder);
import { execFileSync } from "node:child_process"; { const b = performance.now(); execFileSync("git", ["-c", "gc.auto=0", "repack", "-adq"], { cwd: repository.folder }); console.log("packed", (performance.now() - b) / 1000); }
const ours = await processesOf(stack);
const cpuOf = (pid: number) => { try { return readdirSync(`/proc/${pid}/task`).reduce((a, t) => { try { return a + Number(readFileSync(`/proc/${pid}/task/${t}/schedstat`, "utf8").split(" ")[0]); } catch { return a; } }, 0) / 1e6; } catch { return 0; } };
const seen = new Map<number, number>();
const all = () => Object.fromEntries(Object.entries(ours()).map(([k, p]) => [k, p.reduce((a, x) => { const now = Math.max(cpuOf(x), seen.get(x) ?? 0); seen.set(x, now); return a + now; }, 0)]));
import pg from "pg"; const { postgresPassword } = JSON.parse(readFileSync(stack.dataDir + "/state.json", "utf8")); const su = new pg.Client({ connectionString: `postgres://postgres:${postgresPassword}@127.0.0.1:${Number(new URL(stack.base).port) + 32}/octavo` }); await su.connect(); if (process.argv[4] === "pgs") { await su.query("create extension if not exists pg_stat_statements"); await su.query("select pg_stat_statements_reset()"); }
for (let i = 0; i < times; i++) {
  const a = all(); const t = setInterval(all, 200);
  let slow = 0; const ping = setInterval(async () => { const b = performance.now(); await call("GET", "/user"); slow = Math.max(slow, performance.now() - b); }, 50);
  const { seconds } = await importInto(call, repository); clearInterval(t); clearInterval(ping); const b = all();
  console.log(N, seconds.toFixed(1), "s", (N / seconds).toFixed(0), "/s; CPU s:", Object.entries(b).map(([k, v]) => `${k} ${((v - a[k]!) / 1000).toFixed(1)}`).join(" "), "wait", slow.toFixed(0));
  await new Promise((r) => setTimeout(r, 8000));
}
if (process.argv[4] === "pgs") { const q = await su.query("select calls, total_exec_time as ms, rows, wal_bytes, shared_blks_hit as hit, shared_blks_dirtied as d, query from pg_stat_statements order by 2 desc limit 40"); for (const x of q.rows) console.log((x.ms / 1000).toFixed(2).padStart(7), "s calls", x.calls, "rows", x.rows, "wal MB", (Number(x.wal_bytes) / 1e6).toFixed(1), "hit", x.hit, x.query.replace(/\s+/g, " ").slice(0, 170)); console.log((await su.query("select wal_bytes, wal_fpi, wal_write from pg_stat_wal")).rows, (await su.query("select * from pg_stat_checkpointer")).rows); await su.end(); }
await stack.stop(); process.exit(0);
