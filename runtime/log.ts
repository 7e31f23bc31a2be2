import { fstatSync } from "node:fs";
import { pino, type DestinationStream, type Logger } from "pino";

export type Log = Logger;

/**
 * JSON lines on standard output. Nothing that is logged may carry a secret in the first place;
 * the redaction is for the day somebody logs a whole object.
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
  return pino(options, destination ?? standardOutput());
}

/** Characters that wait for whoever reads the log; later lines are dropped. */
const maxUnwritten = 16_777_216;

/**
 * Standard output, until it is a terminal that was closed: the library would end the process for the first line that cannot be
 * written. Synchronous, so that the failure of a line is known before the process exits: of one that is still on its way
 * then, the library repeats the writing for ever. But not to a pipe, whose reader may stall: it must not stop the process.
 */
function standardOutput(): DestinationStream {
  const output = fstatSync(1);
  const isPipe = output.isFIFO() || output.isSocket();
  const stream = pino.destination({ dest: 1, sync: !isPipe, maxLength: maxUnwritten });
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EIO") throw error;
    const nothing = () => undefined;
    Object.assign(stream, { write: nothing, end: nothing, flushSync: nothing, destroy: nothing });
  });
  return stream;
}

/** A phone as it may stand in a log: its last two digits. */
export const maskPhone = (phone: string): string => `…${phone.slice(-2)}`;
