import type { AudienceSchema } from "../hasura/preset.ts";
import type { Budget } from "./budget.ts";
import type { CostlyQueue } from "./costly_queue.ts";
import type { DatabaseAccess } from "./database_access.ts";
import type { DocumentCache } from "./document_cache.ts";
import type { ListLimits } from "../request_limits.ts";
import type { PlanCaches } from "./plan_caches.ts";
import type { WaitForTurn } from "./turn_queue.ts";

/** Everything that the execution of one audience's requests needs. */
export interface Engine {
  audience: AudienceSchema;
  documents: DocumentCache;
  listLimits: ListLimits;
  planCaches: PlanCaches;
  budget: Budget;
  /** Queues synchronous work on new documents. */
  waitForTurn: WaitForTurn;
  /** Queues costly requests, and users' mutations. */
  costlyQueue: CostlyQueue;
  database: DatabaseAccess;
  /**
   * Milliseconds for one statement, and for all statements of a request. Costly requests and mutations have only
   * `statementMs` for all of them, because they hold locks and slots of a queue that others wait for.
   */
  timeouts: { statementMs: number; requestMs: number };
}
