import { fstatSync, writeSync } from "node:fs";
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
/** A pipe is written to when so many characters wait, or after so many milliseconds. */
const batch = { characters: 4_096, ms: 100 };

/**
 * Opens standard output. When its terminal or its reader is gone, writing fails with EIO or EPIPE, and pino would end the
 * process: the stream then discards its lines. Terminals and files are written synchronously, because pino retries a
 * failed asynchronous write forever while the process exits. Pipes are written asynchronously, because a reader that
 * stalls must not block the process.
 */
function openStandardOutput(): DestinationStream {
  const output = fstatSync(1);
  const isPipe = output.isFIFO() || output.isSocket();
  const stream = pino.destination({ dest: 1, sync: !isPipe, maxLength: maxBufferedCharacters });
  const discard = () => undefined;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (!["EIO", "EPIPE"].includes(error.code ?? "")) throw error;
    Object.assign(stream, { write: discard, end: discard, flushSync: discard, destroy: discard });
  });
  return isPipe ? batched(stream) : stream;
}

/**
 * Writes the lines of a tenth of a second at once: a write for each was a fifth of a session check's CPU. The end of the
 * process writes what waits, so only SIGKILL can lose it, or a reader that has stalled or gone.
 */
function batched(stream: ReturnType<typeof pino.destination>): DestinationStream {
  let waiting = "";
  const take = () => {
    const lines = waiting;
    waiting = "";
    return lines;
  };
  const flush = () => {
    if (waiting !== "") stream.write(take());
  };
  setInterval(flush, batch.ms).unref();
  // sonic-boom 4.2 would write for ever to a pipe that nobody reads any more.
  stream.flushSync = () => undefined;
  process.on("exit", () => {
    try {
      writeSync(1, take());
    } catch {
      // Nobody reads.
    }
  });
  return {
    write(line) {
      waiting += line;
      if (waiting.length >= batch.characters) flush();
    },
  };
}

/** Masks a phone for the log: only its last two digits remain. */
export const maskRecipient = (recipient: string): string => `…${recipient.slice(-2)}`;
