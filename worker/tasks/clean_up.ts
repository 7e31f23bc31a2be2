import type { Task } from "graphile-worker";
import type { CleanUpProgress, Delivery } from "../delivery.ts";

/** The step of delivery.clean_up that erases accounts. Its page is the number of accounts to skip because their erasure failed. */
const erasureStep = 12;
/** After this many failures the cause is not one account: the run ends. */
const mostFailedErasures = 20;

interface Dependencies {
  delivery: Pick<Delivery, "cleanUpSlice">;
}

/** Creates the task clean_up, which runs once an hour. */
export function cleanUp({ delivery }: Dependencies): Task {
  return () => deleteExpired(delivery);
}

/**
 * Deletes expired rows in slices. If the erasure of an account fails, the others are still erased, and the call fails at
 * the end: the queue logs the error and runs the job again.
 */
export async function deleteExpired(delivery: Dependencies["delivery"]): Promise<void> {
  let progress: CleanUpProgress | undefined = { step: 1, page: "0" };
  const failures: unknown[] = [];
  while (progress && progress.step !== null) {
    const slice: CleanUpProgress = progress;
    try {
      progress = await delivery.cleanUpSlice(slice);
    } catch (error) {
      if (slice.step !== erasureStep || failures.push(error) === mostFailedErasures) throw error;
      progress = { ...slice, page: String(Number(slice.page) + 1) };
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} accounts were not erased: ${String(failures[0])}`);
}
