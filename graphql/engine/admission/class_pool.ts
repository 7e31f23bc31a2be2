import type pg from "pg";
import { tooManyRequests } from "../../refusal.ts";
import { createTurns } from "../../turns.ts";
import type { RequestBudget } from "./budget.ts";

interface Options {
  /** How many connections one principal may use at once. */
  perPrincipal: number;
  /** How many of one principal's requests may wait. */
  waitingPerPrincipal: number;
}

/**
 * How many requests may wait in all: node-pg has no limit, and each holds its document. Beyond them the principal with
 * the most loses one, so that a few cannot take the places of all others.
 */
const maxWaiting = 400;

/** On whose behalf statements run, and whose budget pays for the time that they hold a connection. */
export interface Payer {
  principal: string;
  budget: Pick<RequestBudget, "requireRest" | "chargeDatabase">;
}

export interface Connection {
  client: pg.PoolClient;
  /** @param destroy whether to close the connection instead of keeping it */
  release: (destroy: boolean) => void;
}

/** The connections of one class of callers. Principals take turns. */
export interface ClassPool {
  /** @throws Refusal (429) if too many requests of the principal wait, or its budget is used up; UnavailableError; any error of node-pg */
  connect: (payer: Payer) => Promise<Connection>;
}

export function createClassPool(pool: pg.Pool, { perPrincipal, waitingPerPrincipal }: Options): ClassPool {
  const turns = createTurns(pool.options.max, perPrincipal, maxWaiting);
  return {
    async connect({ principal, budget }) {
      if (turns.waitingOf(principal) >= waitingPerPrincipal) throw tooManyRequests;
      const entered = turns.enter(principal);
      const hasToWait = turns.waitingOf(principal) > 0;
      const leave = await entered;
      try {
        // Other requests may have used it up meanwhile.
        if (hasToWait) budget.requireRest();
        const client = await pool.connect();
        const startedAt = performance.now();
        return {
          client,
          release(destroy) {
            client.release(destroy);
            budget.chargeDatabase(performance.now() - startedAt);
            leave();
          },
        };
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}
