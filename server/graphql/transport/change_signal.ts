/** Something that may have changed, any number of times, until somebody looks: nothing queues up behind a slow reader. */
export interface Changes {
  mark: () => void;
  /** Forgets the marks so far: call it when looking. */
  clear: () => void;
  /** Resolves with true while there is a mark, at once or at the next one; with false when it is over. */
  next: () => Promise<boolean>;
  end: () => void;
  readonly isOver: boolean;
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
    clear() {
      changed = false;
    },
    async next() {
      if (!changed && !over) await new Promise<void>((resolve) => (wake = resolve));
      wake = undefined;
      return !over;
    },
    end() {
      over = true;
      wake?.();
    },
    get isOver() {
      return over;
    },
  };
}
