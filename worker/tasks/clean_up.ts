import type { Task } from "graphile-worker";
import type { CleanUpProgress, Delivery } from "../delivery.ts";

/** The step of delivery.clean_up that erases accounts: its page is the number of accounts to pass over, as their erasure failed. */
const erasureStep = 12;
/** Then something is wrong with more than a single account. */
const mostFailedErasures = 20;

interface Dependencies {
  delivery: Pick<Delivery, "cleanUpSlice">;
}

/** Creates the task clean_up, which runs once an hour. */
export function cleanUp({ delivery }: Dependencies): Task {
  return () => deleteExpired(delivery);
}

/**
 * Deletes expired rows in slices. An account whose erasure fails does not keep the others: the call fails at its end, so that the
 * job's error is logged and it is run again.
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
