/** Calls the listener at each such moment. May return a function that ends this. */
export type Moments = (listener: () => void) => unknown;

/**
 * Calls the listener at these events of the page. React Native has a window without events, and servers and workers
 * have none.
 */
export const pageEvents =
  (...names: string[]): Moments =>
  (listener) => {
    const page = typeof window === "undefined" ? undefined : (window as Partial<Window>);
    for (const name of names) page?.addEventListener?.(name, listener);
    return () => {
      for (const name of names) page?.removeEventListener?.(name, listener);
    };
  };

/** Returns a function that ends the calls. */
export function listen(moments: Moments, listener: () => void): () => void {
  const stop = moments(listener);
  return typeof stop === "function" ? (stop as () => void) : () => undefined;
}
