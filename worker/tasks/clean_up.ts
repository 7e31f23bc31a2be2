import type { Task } from "graphile-worker";
import type { Delivery } from "../delivery.ts";

/** Creates the task clean_up, which runs once an hour and deletes expired rows. */
export function cleanUp({ delivery }: { delivery: Delivery }): Task {
  return () => delivery.cleanUp();
}
