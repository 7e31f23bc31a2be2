import { Writable } from "node:stream";
import { createLog, type Log } from "../runtime/log.ts";

/** Creates a log that keeps its lines in memory, parsed. */
export function collectLog(level = "debug"): { log: Log; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  return { log: createLog("test", level, destination), lines };
}
