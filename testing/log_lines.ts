import { Writable } from "node:stream";
import { makeLog, type Log } from "../runtime/log.ts";

/** A log whose lines a test can read. */
export function collectLog(level = "debug"): { log: Log; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  return { log: makeLog("test", level, destination), lines };
}
