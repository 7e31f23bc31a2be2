import type { AudienceSchema } from "../hasura/preset.ts";
import type { Budget } from "./budget.ts";
import type { CostlyQueue } from "./costly_queue.ts";
import type { Documents } from "./documents.ts";
import type { ListBounds } from "./limits.ts";
import type { PlanCaches } from "./plan_caches.ts";
import type { Access } from "./transaction.ts";
import type { Turn } from "./turns.ts";

/** What executes the requests of one audience. */
export interface Engine {
  audience: AudienceSchema;
  documents: Documents;
  lists: ListBounds;
  plans: PlanCaches;
  budget: Budget;
  /** Resolves when a new document of the payer may be worked on. */
  turn: Turn;
  /** Paces costly requests, and users' mutations. */
  costly: CostlyQueue;
  access: Access;
  /** How long the statements of a request may take; and each of them, and all of one that is costly or writes: it holds rows of REST calls. */
  longest: { ms: number; statementMs: number };
}
