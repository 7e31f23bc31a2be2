import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RunningPostgres } from "../../embedded/index.ts";
import { eventually } from "../eventually.ts";

/**
 * Starts a stopped PostgreSQL, which must use its last port. Only if it reports that another process has taken that
 * port meanwhile, the start is repeated until the port is free.
 */
export async function startOnLastPort(
  start: () => Promise<RunningPostgres>,
  { port, log }: { port: number; log: string },
): Promise<RunningPostgres> {
  const conflicts = () => readFileSync(log, "utf8").split("could not create any TCP/IP sockets").length;
  let running: RunningPostgres | undefined;
  await eventually("the last port is free again", async () => {
    const before = conflicts();
    running = await start();
    if (running.port === port || conflicts() === before) return true;
    await running.stop();
    writeFileSync(join(dirname(log), "port"), `${port}\n`);
    return false;
  });
  return running!;
}
