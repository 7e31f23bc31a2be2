/** Runs one function at a time, in the order of the calls. */
export type Lock = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Over all tabs where a name and Web Locks are there. Else within this page or process alone: without Web Locks (an insecure origin,
 * older Node) two tabs may refresh at once, which the server's reuse grace allows.
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
