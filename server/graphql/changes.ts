/** Something that may have changed, any number of times, until somebody looks: nothing queues up behind a slow reader. */
export interface Changes {
  mark: () => void;
  /** Resolves with true at the next change, at once if one has come since the last call; with false when it is over. */
  next: () => Promise<boolean>;
  end: () => void;
}

export function makeChanges(): Changes {
  let changed = false;
  let over = false;
  let wake: (() => void) | undefined;
  return {
    mark() {
      changed = true;
      wake?.();
    },
    async next() {
      if (!changed && !over) await new Promise<void>((resolve) => (wake = resolve));
      wake = undefined;
      changed = false;
      return !over;
    },
    end() {
      over = true;
      wake?.();
    },
  };
}
