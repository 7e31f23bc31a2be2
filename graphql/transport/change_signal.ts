/**
 * Signals a change to one receiver. Notifications that arrive before the receiver waits count as one, so none queue up.
 */
export interface ChangeSignal {
  notify: () => void;
  /** Clears the notifications so far. Call it before reading what has changed, so that later changes are not missed. */
  reset: () => void;
  /** Resolves with true once there is a notification, or with false once the signal is closed. */
  wait: () => Promise<boolean>;
  close: () => void;
  readonly isClosed: boolean;
}

export function createChangeSignal(): ChangeSignal {
  let isNotified = false;
  let isClosed = false;
  let wake: (() => void) | undefined;
  return {
    notify() {
      isNotified = true;
      wake?.();
    },
    reset() {
      isNotified = false;
    },
    async wait() {
      if (!isNotified && !isClosed) await new Promise<void>((resolve) => (wake = resolve));
      wake = undefined;
      return !isClosed;
    },
    close() {
      isClosed = true;
      wake?.();
    },
    get isClosed() {
      return isClosed;
    },
  };
}
