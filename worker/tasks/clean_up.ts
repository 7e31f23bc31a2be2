import type { Task } from "graphile-worker";
import type { Delivery } from "../delivery.ts";

/** Job clean_up, once an hour: deletes what nobody needs any more. */
export function cleanUp({ delivery }: { delivery: Delivery }): Task {
  return () => delivery.cleanUp();
}
