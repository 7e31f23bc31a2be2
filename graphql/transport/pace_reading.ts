import type { WebSocket } from "ws";

/** A frame costs at least as much as one with this many bytes. */
const minFrameBytes = 256;

interface Options {
  bytesPerSecond: number;
  /** How many bytes a client may send at once after a silence. */
  burstBytes: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
  /** Calls back once after the time; the returned function cancels that. */
  after?: (ms: number, callback: () => void) => () => void;
}

type ReadableSocket = Pick<WebSocket, "on" | "pause" | "resume">;

function afterTimeout(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms).unref();
  return () => clearTimeout(timer);
}

/**
 * Limits the rate at which the server reads from a socket, by a token bucket of bytes. While it is exhausted the socket
 * is paused, and TCP's back-pressure stops the client from sending.
 */
export function paceReading(
  socket: ReadableSocket,
  { bytesPerSecond, burstBytes, now = () => performance.now(), after = afterTimeout }: Options,
): void {
  let tokens = burstBytes;
  let updatedAt = now();
  let cancelResume: (() => void) | undefined;

  function refill(): void {
    const time = now();
    tokens = Math.min(burstBytes, tokens + ((time - updatedAt) * bytesPerSecond) / 1_000);
    updatedAt = time;
  }

  const scheduleResume = () => {
    cancelResume = after(Math.ceil((-tokens * 1_000) / bytesPerSecond), resume);
  };

  function resume(): void {
    cancelResume = undefined;
    refill();
    if (tokens < 0) scheduleResume();
    else socket.resume();
  }

  const charge = (data: Buffer): void => {
    refill();
    tokens -= Math.max(minFrameBytes, data.length);
    // A paused socket still emits the frames that it has read before; one timer covers them all.
    if (tokens >= 0 || cancelResume) return;
    socket.pause();
    scheduleResume();
  };
  // By default, ws passes one buffer for each of these events.
  for (const event of ["message", "ping", "pong"] as const) socket.on(event, charge);
  socket.on("close", () => cancelResume?.());
}
