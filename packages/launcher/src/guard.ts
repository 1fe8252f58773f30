import { spawn } from "node:child_process";

/** Ends what is left when this process dies without a chance to do it itself (kill -9). */
export interface Guard {
  add(pid: number, signal: "INT" | "TERM"): void;
  drop(pid: number): void;
  /** All is stopped in good order: the guard has nothing left to do and leaves. */
  release(): void;
}

// The shell waits on a pipe from us; the pipe closes with our last breath. It costs 1 MB.
const script = `
left=""
while read -r word item; do
  case $word in
    add) left="$left $item" ;;
    drop) next=""; for one in $left; do [ "\${one#*:}" = "$item" ] || next="$next $one"; done; left=$next ;;
    release) exit 0 ;;
  esac
done
for one in $left; do kill -s "\${one%%:*}" "\${one#*:}" 2>/dev/null; done
turns=0
while [ $turns -lt 100 ]; do
  alive=""
  for one in $left; do kill -s 0 "\${one#*:}" 2>/dev/null && alive=yes; done
  [ -z "$alive" ] && break
  turns=$((turns + 1)); sleep 0.1
done
for one in $left; do kill -s KILL "\${one#*:}" 2>/dev/null; done
[ -n "$1" ] && rm -rf -- "$1"
exit 0
`;

/** Starts the guard. With `temporary` it also removes that directory, but only when it had to act. */
export function startGuard(temporary = ""): Guard {
  const shell = spawn("/bin/sh", ["-c", script, "octavo-guard", temporary], {
    stdio: ["pipe", "ignore", "ignore"],
    cwd: "/",
    detached: true,
  });
  shell.unref();
  shell.on("error", () => {});
  shell.stdin.on("error", () => {});
  const say = (line: string) => void shell.stdin.write(`${line}\n`);
  return {
    add: (pid, signal) => say(`add ${signal}:${pid}`),
    drop: (pid) => say(`drop ${pid}`),
    release: () => say("release"),
  };
}
