import { LRUCache } from "lru-cache";

/** Calls that somebody had made at a time, of which ever fewer count after it. */
export interface Usage {
  calls: number;
  at: number;
}

export interface RecentUsage {
  /** The usage of a client or phone, by its name. */
  of: (name: string) => Usage;
  /** Calls that still count. */
  recent: (usage: Usage) => number;
  /** Adds calls, or takes them back. */
  add: (usage: Usage, calls: number) => void;
}

const halfLifeMs = 60_000;
/** Bounds memory: those that called least recently are forgotten. */
const remembered = 10_000;

/**
 * Counts what each client or phone called lately. Calls and not their time: that depends on the machine, its load and the
 * hash's cost, and would make whoever logs in once on a slow one a heavy client.
 * now: milliseconds of a clock that never goes back.
 */
export function createRecentUsage(now: () => number): RecentUsage {
  const usages = new LRUCache<string, Usage>({ max: remembered });
  const recent = ({ calls, at }: Usage) => calls * 2 ** ((at - now()) / halfLifeMs);
  return {
    recent,
    of(name) {
      const usage = usages.get(name) ?? { calls: 0, at: now() };
      usages.set(name, usage);
      return usage;
    },
    add(usage, calls) {
      usage.calls = Math.max(0, recent(usage) + calls);
      usage.at = now();
    },
  };
}
