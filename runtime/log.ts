import { fstatSync, writeSync } from "node:fs";
import { pino, type DestinationStream, type Logger } from "pino";
import { prettyDestination } from "./pretty_log.ts";

export type Log = Logger;

/**
 * Creates a log that writes JSON lines to standard output. Code must not log secrets; the redaction is a safety net for
 * an object that is logged as a whole.
 * @param name of the process, in every line
 * @param level the least severe level that is written, for example "info"
 * @param destination replaces standard output
 */
export function createLog(name: string, level: string, destination?: DestinationStream): Log {
  const secrets = [
    "password",
    "newPassword",
    "otp",
    "code",
    "body",
    "token",
    "access_token",
    "refresh_token",
    "authorization",
  ];
  const options = {
    name,
    level,
    redact: { paths: secrets.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: "[redacted]" },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  return pino(options, destination ?? (standardOutput ??= openStandardOutput()));
}

/** The log of a process, as its environment says. */
export function openLog(name: string, config: { LOG_LEVEL: string; LOG_FORMAT: "json" | "pretty" }): Log {
  if (config.LOG_FORMAT === "json") return createLog(name, config.LOG_LEVEL);
  return createLog(name, config.LOG_LEVEL, prettyDestination((standardOutput ??= openStandardOutput())));
}

let standardOutput: DestinationStream | undefined;

/** Characters that wait while the reader of a pipe stalls. Beyond them, lines are dropped. */
const maxWaitingCharacters = 16_777_216;
/** A pipe is written to when so many characters wait, or after so many milliseconds. */
const batch = { characters: 4_096, ms: 100 };
/** How long the end of the process waits for a reader of a pipe that has stalled. */
const lastLinesMs = 1_000;

/**
 * Opens standard output. Terminals and files get each line at once. Pipes get the lines of a tenth of a second at once: a
 * write for each was a fifth of a session check's CPU. A pipe takes what it has room for, and the rest waits: a reader
 * that stalls blocks neither the process nor its end.
 */
function openStandardOutput(): DestinationStream {
  const output = fstatSync(1);
  const isPipe = output.isFIFO() || output.isSocket();
  let waiting = "";
  let taken = Buffer.alloc(0);
  /** Writes what there is room for. @returns whether anything is left */
  const flush = (): boolean => {
    try {
      while (taken.length > 0 || waiting !== "") {
        if (taken.length === 0) {
          taken = Buffer.from(waiting);
          waiting = "";
        }
        taken = taken.subarray(writeSync(1, taken));
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") return true;
      // The terminal or the reader is gone, or the disk is full: signing in goes on without a log.
      waiting = "";
      taken = Buffer.alloc(0);
    }
    return false;
  };
  if (isPipe) {
    // Node opens its own stream of a pipe without blocking, which is a property of the pipe. It resets it at the end.
    Reflect.get(process, "stdout");
    setInterval(flush, batch.ms).unref();
  }
  process.on("exit", () => {
    const end = performance.now() + lastLinesMs;
    const pause = new Int32Array(new SharedArrayBuffer(4));
    while (flush() && performance.now() < end) Atomics.wait(pause, 0, 0, 5);
  });
  return {
    write(line) {
      if (waiting.length + taken.length > maxWaitingCharacters) return;
      waiting += line;
      if (!isPipe || waiting.length >= batch.characters) flush();
    },
  };
}

/** Masks a phone for the log: only its last two digits remain. */
export const maskRecipient = (recipient: string): string => `…${recipient.slice(-2)}`;
