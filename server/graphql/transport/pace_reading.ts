import type { WebSocket } from "ws";

/** A frame without content costs about as much as one of so many bytes. */
const smallestFrame = 256;

interface Options {
  bytesPerSecond: number;
  /** What a socket may send at once after it was silent. */
  burst: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
  /** Calls back once, unless the function that it returns is called before. */
  later?: (work: () => void, ms: number) => () => void;
}

type ReadSocket = Pick<WebSocket, "on" | "pause" | "resume">;

function afterMs(work: () => void, ms: number): () => void {
  const timer = setTimeout(work, ms).unref();
  return () => clearTimeout(timer);
}

/** Reads no more of a socket for as long as its peer has sent more than its share: the peer's system then stops it from sending. */
export function paceReading(
  socket: ReadSocket,
  { bytesPerSecond, burst, now = () => performance.now(), later = afterMs }: Options,
): void {
  let left = burst;
  let at = now();
  let cancel: (() => void) | undefined;

  function refill(): void {
    const time = now();
    left = Math.min(burst, left + ((time - at) * bytesPerSecond) / 1_000);
    at = time;
  }

  /** One wait at a time, however many frames still arrive of what had been read when the socket was paused. */
  const wait = () => {
    cancel = later(goOn, Math.ceil((-left * 1_000) / bytesPerSecond));
  };

  function goOn(): void {
    cancel = undefined;
    refill();
    if (left < 0) wait();
    else socket.resume();
  }

  const count = (data: Buffer): void => {
    refill();
    left -= Math.max(smallestFrame, data.length);
    if (left >= 0 || cancel) return;
    socket.pause();
    wait();
  };
  // With one buffer for each message, as ws gives them by default.
  for (const event of ["message", "ping", "pong"] as const) socket.on(event, count);
  socket.on("close", () => cancel?.());
}
