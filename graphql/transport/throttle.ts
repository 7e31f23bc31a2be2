export interface Throttled {
  (): void;
  /** Drops a call that waits. */
  stop: () => void;
}

/** Calls a function at once, and then at most once per pause. The last call is never lost. */
export function throttle(call: () => void, pauseMs: number): Throttled {
  let timer: NodeJS.Timeout | undefined;
  let isWaiting = false;
  const throttled = () => {
    if (timer) {
      isWaiting = true;
      return;
    }
    call();
    timer = setTimeout(() => {
      timer = undefined;
      if (isWaiting) throttled();
    }, pauseMs).unref();
    isWaiting = false;
  };
  throttled.stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  return throttled;
}
