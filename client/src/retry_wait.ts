import { listen, pageEvents, type Moments } from "./moments.ts";

/** Waits up to 10 seconds, each client at another moment, or until the network is back. */
export function retryWait(retries: number, onOnline: Moments = pageEvents("online")): Promise<void> {
  const delayMs = Math.min(10_000, 250 * 2 ** retries) * (0.5 + Math.random() / 2);
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      // A server that is unavailable for hours causes thousands of waits, so no listener may remain.
      stop();
      resolve();
    };
    const timer = setTimeout(end, retries === 0 ? 0 : delayMs);
    const stop = listen(onOnline, end);
  });
}
