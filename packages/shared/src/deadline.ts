/**
 * Returns a signal that aborts with another one, and after so many milliseconds at the latest. `AbortSignal.any` does not
 * keep a timeout that nothing else refers to: Node collects it as garbage, and its time never comes (nodejs/node#57736).
 */
export function withDeadline(signal: AbortSignal, ms: number): AbortSignal {
  const deadline = AbortSignal.timeout(ms);
  // Node keeps a timeout that somebody listens to.
  deadline.addEventListener("abort", () => undefined);
  return AbortSignal.any([signal, deadline]);
}
