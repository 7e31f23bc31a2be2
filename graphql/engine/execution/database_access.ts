import type { ClassPool } from "../admission/class_pool.ts";
import type { Read } from "./reads.ts";

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
