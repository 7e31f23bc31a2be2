import type { AudienceSchema } from "../hasura/preset.ts";
import type { Budget } from "./admission/budget.ts";
import type { ClassPool } from "./admission/class_pool.ts";
import type { Read } from "./execution/reads.ts";
import type { DocumentCache } from "./documents/document_cache.ts";
import type { ListLimits } from "../request_limits.ts";
import type { PlanCaches } from "./documents/plan_caches.ts";
import type { CallerClass } from "../authorization/caller.ts";

/** The ways in which the requests of one class of callers reach PostgreSQL. */
export interface DatabaseAccess {
  pool: ClassPool;
  /** Whether to prepare statements by name: only if each connection keeps its backend. */
  prepareStatements: boolean;
  /** Runs a read on the connection that callers share, if there is one. */
  read: Read;
  /** Runs a read on a connection of the pool. */
  pooledRead: Read;
}

/** Everything that the execution of one audience's requests needs. */
export interface Engine {
  audience: AudienceSchema;
  documents: DocumentCache;
  listLimits: ListLimits;
  planCaches: PlanCaches;
  budget: Budget;
  databaseOf: (callerClass: CallerClass) => DatabaseAccess;
  /**
   * Milliseconds for one statement, and for all statements of a request. Costly requests and mutations have only
   * `statementMs` for all of them, because they hold locks and connections that others wait for.
   */
  timeouts: { statementMs: number; requestMs: number };
}
