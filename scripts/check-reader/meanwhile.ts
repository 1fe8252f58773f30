/**
 * Does something again and again until a task has ended, and returns the result of the task. Rejects when the task or any of
 * the rest did, after all of it has ended: nothing is left behind whose rejection nobody handles.
 */
export async function meanwhile<Result>(
  task: () => Promise<Result>,
  repeated: () => Promise<void>,
  together = 1,
): Promise<Result> {
  let running = true;
  const stop = () => {
    running = false;
  };
  const repeat = async () => {
    while (running) await repeated();
  };
  const work = task().finally(stop);
  const others = Array.from({ length: together }, repeat);
  await Promise.allSettled([work, ...others]);
  await Promise.all(others);
  return work;
}
