import type { Task } from "graphile-worker";
import type { CleanUpProgress, Delivery } from "../delivery.ts";

/** After this many failures the cause is not one account: the run ends. */
const mostFailedErasures = 20;

interface Dependencies {
  delivery: Pick<Delivery, "cleanUpSlice" | "eraseDueAccount">;
}

/** Creates the task clean_up, which runs once an hour. */
export function cleanUp({ delivery }: Dependencies): Task {
  return () => deleteExpired(delivery);
}

/** Deletes expired rows in slices, then erases the accounts whose deletion is due. */
export async function deleteExpired(delivery: Dependencies["delivery"]): Promise<void> {
  let progress: CleanUpProgress = { step: null, page: null };
  do progress = await delivery.cleanUpSlice(progress);
  while (progress.step !== null);
  await eraseDueAccounts(delivery);
}

/**
 * Erases one account after the other. If an erasure fails, the others are still erased, and the call fails at the end:
 * the queue logs the error and runs the job again.
 */
async function eraseDueAccounts(delivery: Dependencies["delivery"]): Promise<void> {
  const failures: unknown[] = [];
  for (let found = true; found;) {
    try {
      found = await delivery.eraseDueAccount(failures.length);
    } catch (error) {
      if (failures.push(error) === mostFailedErasures) throw error;
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} accounts were not erased: ${String(failures[0])}`);
}
