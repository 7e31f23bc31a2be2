import { type RunningPostgres, startThrowaway } from "../../embedded/index.ts";
import { shared } from "../run/shared.ts";

/** Starts a cluster without a database, which the caller stops, with these settings of PostgreSQL. */
export async function startNewCluster(settings: Record<string, string> = {}): Promise<RunningPostgres> {
  return startThrowaway({ settings, copyOf: await shared("emptyHome") });
}
