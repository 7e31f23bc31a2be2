import type pg from "pg";
import { UnavailableError } from "../../../runtime/database_errors.ts";
import { tooManyRequests } from "../../refusal.ts";

interface Options {
  /** How many connections one principal may use at once. */
  perPrincipal: number;
  /** How many of one principal's requests may wait. */
  waitingPerPrincipal: number;
}

/** How many requests may wait: node-pg has no limit. */
const maxWaiting = 400;

export interface Connection {
  client: pg.PoolClient;
  hasWaited: boolean;
  /** @param destroy whether to close the connection instead of keeping it */
  release: (destroy: boolean) => void;
}

/** The connections of one class of callers. Principals take turns. */
export interface ClassPool {
  /**
   * @throws Refusal (429) if the principal has too many requests waiting
   * @throws UnavailableError if too many wait together, and any error of node-pg
   */
  connect: (principal: string) => Promise<Connection>;
}

export function createClassPool(pool: pg.Pool, { perPrincipal, waitingPerPrincipal }: Options): ClassPool {
  /** By principal, in the order of their turns. */
  const waiting = new Map<string, (() => void)[]>();
  const used = new Map<string, number>();
  let free = pool.options.max;
  let waitingTotal = 0;

  const usedBy = (principal: string) => used.get(principal) ?? 0;
  const take = (principal: string) => {
    free--;
    used.set(principal, usedBy(principal) + 1);
  };

  function startNext(): void {
    for (const [principal, starts] of waiting) {
      if (free === 0) return;
      if (usedBy(principal) >= perPrincipal) continue;
      const start = starts.shift();
      // Its next request goes behind those of the others.
      waiting.delete(principal);
      if (starts.length > 0) waiting.set(principal, starts);
      waitingTotal--;
      take(principal);
      start?.();
    }
  }

  function giveBack(principal: string): void {
    free++;
    const rest = usedBy(principal) - 1;
    if (rest > 0) used.set(principal, rest);
    else used.delete(principal);
    startNext();
  }

  /** @returns whether it had to wait */
  async function waitForTurn(principal: string): Promise<boolean> {
    if (free > 0 && usedBy(principal) < perPrincipal) {
      take(principal);
      return false;
    }
    const starts = waiting.get(principal) ?? [];
    if (starts.length >= waitingPerPrincipal) throw tooManyRequests;
    if (waitingTotal >= maxWaiting) throw new UnavailableError("the GraphQL pool is busy");
    waitingTotal++;
    await new Promise<void>((start) => {
      starts.push(start);
      waiting.set(principal, starts);
    });
    return true;
  }

  return {
    async connect(principal) {
      const hasWaited = await waitForTurn(principal);
      try {
        const client = await pool.connect();
        return {
          client,
          hasWaited,
          release: (destroy) => {
            client.release(destroy);
            giveBack(principal);
          },
        };
      } catch (error) {
        giveBack(principal);
        throw error;
      }
    },
  };
}
