import type pg from "pg";
import type { Read } from "./reads.ts";
import type { Settings } from "./statements.ts";

/** The ways in which the requests of one audience reach PostgreSQL. */
export interface DatabaseAccess {
  pool: pg.Pool;
  /** Whether to prepare statements by name: only if each connection keeps its backend. */
  prepareStatements: boolean;
  /** Runs a read on the connection that callers share, if there is one. */
  read: Read;
  /** Runs a read on a connection of the pool. */
  pooledRead: Read;
  /** Called when a request ends, with the milliseconds of its pooled reads, or of its mutations' connection. */
  charge?: (settings: Settings, kind: "reads" | "mutations", ms: number) => void;
}
