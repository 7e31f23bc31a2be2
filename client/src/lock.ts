/** Runs one function at a time, in the order of the calls. */
export type Lock = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * The lock covers all tabs if there is a name and the browser has Web Locks, and otherwise this page or process.
 * Without Web Locks (an insecure origin, older Node) two tabs may refresh at once, which the server's reuse grace
 * allows.
 */
export function createLock(name: string | undefined): Lock {
  const locks = typeof navigator === "undefined" ? undefined : navigator.locks;
  if (name !== undefined && locks) return async (work) => locks.request(`latchkey:${name}`, work);
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
}
