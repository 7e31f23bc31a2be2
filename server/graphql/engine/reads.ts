import pg from "pg";
import type { PgClientQuery, PgClientResult } from "postgraphile/@dataplan/pg";
import { endsConnection } from "../../../runtime/database_errors.ts";
import { type SharedConnection } from "../../database/pipeline.ts";
import { Unavailable } from "../../../runtime/database_errors.ts";
import { beginning, corkThisTurn, isOutdated, sendStatement, type Settings } from "./statements.ts";

/** node-pg puts no bound on its queues. */
export const maxWaiting = 200;
const maxSharing = 32;
/** Short: many times what somebody's own rows take, and no long wait for whoever comes behind. */
const usualTimes = { shortMs: 50, restMs: 1_000 };

/**
 * One statement of a query: a transaction of its own, beginning and end included in one packet. At READ COMMITTED one
 * transaction for all statements would show a query nothing else.
 */
export type Read = <Row>(
  settings: Settings,
  query: PgClientQuery,
  spent?: Spent,
) => Promise<PgClientResult<Row>>;

/** Told how long a statement that ran alone took, in milliseconds from when it was sent. */
export type Spent = (ms: number) => void;

export function readFrom(pool: pg.Pool, prepared: boolean): Read {
  return async function read<Row>(
    settings: Settings,
    query: PgClientQuery,
    spent?: Spent,
  ): Promise<PgClientResult<Row>> {
    if (pool.waitingCount >= maxWaiting) throw new Unavailable("the GraphQL pool is busy");
    const client = await pool.connect();
    corkThisTurn(client);
    const sent = performance.now();
    const [began, answered, ended] = await Promise.allSettled([
      client.query(beginning(settings, true)),
      sendStatement<Row>(client, settings, query, prepared),
      client.query("commit"),
    ]);
    const outdated = answered.status === "rejected" && isOutdated(answered.reason);
    client.release(outdated || ended.status === "rejected");
    if (began.status === "rejected") throw began.reason;
    spent?.(performance.now() - sent);
    // Without a name it is prepared anew.
    if (outdated && query.name) return read(settings, { ...query, name: "" }, spent);
    if (answered.status === "rejected") throw answered.reason;
    return answered.value;
  };
}

/**
 * Reads of many callers over one connection, which costs less than one each: for callers who see but their own rows, so
 * that each is short. What is not short is begun anew alone. After that, after one that was kept waiting, and after a
 * connection that broke, everybody reads alone for a second: else one caller could keep all others waiting.
 */
export function readTogether(
  connection: SharedConnection,
  alone: Read,
  prepared: boolean,
  { shortMs, restMs } = usualTimes,
): Read {
  let resting = 0;
  return async <Row>(
    settings: Settings,
    query: PgClientQuery,
    spent?: Spent,
  ): Promise<PgClientResult<Row>> => {
    const asked = performance.now();
    if (asked < resting || connection.waitingCount >= maxSharing) return alone(settings, query, spent);
    const short = { ...settings, statement_timeout: String(shortMs) };
    const reading = connection.inOneGo(async (client) => {
      const sent = [
        client.query(beginning(short, true)),
        sendStatement<Row>(client, settings, query, prepared).catch(renewIfOutdated),
        client.query("commit"),
      ] as const;
      return (await Promise.all(sent))[1];
    });
    const [read] = await Promise.allSettled([reading]);
    const broken = read.status === "rejected" && endsConnection(read.reason);
    const outdated = broken && read.reason instanceof Outdated;
    const now = performance.now();
    if (now - asked >= shortMs || (broken && !outdated)) resting = now + restMs;
    if (read.status === "fulfilled") return read.value;
    if (broken || isTooLong(read.reason)) return alone(settings, query, spent);
    throw read.reason;
  };
}

/** Anything but a DatabaseError closes a shared connection. */
class Outdated extends Error {
  override name = "Outdated";
}

function renewIfOutdated(error: unknown): never {
  throw isOutdated(error) ? new Outdated("prepared statements", { cause: error }) : error;
}

const isTooLong = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === "57014";
