import { fstatSync } from "node:fs";
import { pino, type DestinationStream, type Logger } from "pino";

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
  return pino(options, destination ?? openStandardOutput());
}

/** Characters that are buffered while the reader of a pipe stalls. Beyond them, lines are dropped. */
const maxBufferedCharacters = 16_777_216;

/**
 * Opens standard output. When its terminal is closed, writing fails with EIO, and pino would end the process: the
 * stream then discards its lines. Terminals and files are written synchronously, because pino retries a failed
 * asynchronous write forever while the process exits. Pipes are written asynchronously, because a reader that stalls must
 * not block the process, and at most ten times a second unless more than 4 KB wait: a write for each line was a fifth of
 * a session check's CPU. So SIGKILL can lose the lines of the last tenth of a second; every other end writes them.
 */
function openStandardOutput(): DestinationStream {
  const output = fstatSync(1);
  const isPipe = output.isFIFO() || output.isSocket();
  const batched = isPipe && { minLength: 4_096, periodicFlush: 100 };
  const stream = pino.destination({ dest: 1, sync: !isPipe, maxLength: maxBufferedCharacters, ...batched });
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EIO") throw error;
    const discard = () => undefined;
    Object.assign(stream, { write: discard, end: discard, flushSync: discard, destroy: discard });
  });
  return stream;
}

/** Masks a phone for the log: only its last two digits remain. */
export const maskRecipient = (recipient: string): string => `…${recipient.slice(-2)}`;
