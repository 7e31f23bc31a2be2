import type { WebSocket } from "ws";

/** A frame without content costs about as much as one of so many bytes. */
const smallestFrame = 256;

interface Options {
  bytesPerSecond: number;
  /** What a socket may send at once after it was silent. */
  burst: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
  later?: (work: () => void, ms: number) => void;
}

type ReadSocket = Pick<WebSocket, "on" | "pause" | "resume">;

/** Reads no more of a socket for as long as its peer has sent more than its share: the peer's system then stops it from sending. */
export function paceReading(
  socket: ReadSocket,
  {
    bytesPerSecond,
    burst,
    now = () => performance.now(),
    later = (work, ms) => void setTimeout(work, ms).unref(),
  }: Options,
): void {
  let left = burst;
  let at = now();
  const count = (data: Buffer): void => {
    const time = now();
    left = Math.min(burst, left + ((time - at) * bytesPerSecond) / 1_000);
    left -= Math.max(smallestFrame, data.length);
    at = time;
    if (left >= 0) return;
    socket.pause();
    later(() => socket.resume(), (-left * 1_000) / bytesPerSecond);
  };
  // With one buffer for each message, as ws gives them by default.
  for (const event of ["message", "ping", "pong"] as const) socket.on(event, count);
}
