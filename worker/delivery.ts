import type pg from "pg";
import { createBatcher } from "../runtime/batch.ts";
import type { AttemptResult, Message, ProviderInUse } from "./message.ts";
import type { Attempt } from "./received_jobs.ts";
import type { ReconnectingPool } from "./reconnecting_pool.ts";

export interface Delivery {
  /**
   * Creates a code and returns the message that contains it; undefined if nothing is to be sent.
   * @param unavailable names of providers to avoid
   */
  issueOtpCode: (otpId: string, codeKey: Buffer, unavailable: string[]) => Promise<Message | undefined>;
  /** Records how an attempt ended. Resolves with the milliseconds until the next one; undefined if there is none. */
  recordAttempt: (
    attemptId: string,
    result: AttemptResult,
    durationMs: number,
  ) => Promise<number | undefined>;
  /** In the order in which they are tried. Resolves with an empty array if OTP_PROVIDER is not set. */
  providersInUse: () => Promise<ProviderInUse[]>;
  /** Records that this worker runs and whether it can send, for api.check_readiness. */
  heartbeat: (worker: string, canSend: boolean) => Promise<void>;
  /**
   * Deletes expired rows in slices; each slice is a transaction of its own. An account whose erasure fails does not keep the others:
   * the call fails at its end, so that the job's error is logged and it is run again.
   */
  cleanUp: () => Promise<void>;
}

/** The step of delivery.clean_up that erases accounts: its page is the number of accounts to pass over, as their erasure failed. */
const erasureStep = 12;
/** Then something is wrong with more than a single account. */
const mostFailedErasures = 20;

/** SQL type delivery.clean_up_progress: where the next slice begins. `step` is null once all tables are done. */
interface CleanUpProgress {
  step: number | null;
  page: string | null;
}

interface Issue {
  otpId: string;
  codeKey: Buffer;
  unavailable: string[];
}
interface Recording {
  attemptId: string;
  result: AttemptResult;
  durationMs: number;
}

/** A batch holds its one-time passwords until it commits, and requests wait for the outcome. */
const maxBatchSize = 16;

/**
 * Creates the worker's only access to SQL: the functions of schema delivery. What several jobs ask for at once is one statement
 * and one commit: a commit that notifies waits for every other one, until it is on disk. Calls that a send depends on are retried when
 * PostgreSQL restarts: a code that was lost is issued again, and a vendor's answer is recorded once PostgreSQL is back.
 */
export function createDelivery(pool: Pick<ReconnectingPool, "query" | "queryWithRetry">): Delivery {
  async function issueAll(calls: Issue[]): Promise<(Message | undefined)[]> {
    const rows = await pool.queryWithRetry<{ message: Message | null }>(
      `select row_to_json(delivery.issue_otp_code(otp_id => c.otp_id, code_key => $2::bytea, unavailable => $3::text[])) as message
       from unnest($1::uuid[]) with ordinality as c(otp_id, position) order by c.position`,
      // One worker has one key, and what is unavailable changes rarely: the latest list is right for all of them.
      [calls.map(({ otpId }) => otpId), calls[0]?.codeKey, calls.at(-1)?.unavailable],
    );
    return rows.map(({ message }) => (message?.otp_id ? message : undefined));
  }

  async function recordAll(calls: Recording[]): Promise<(number | undefined)[]> {
    const column = <Value>(valueOf: (recording: Recording) => Value) => calls.map(valueOf);
    const rows = await pool.queryWithRetry<{ wait_ms: number | null }>(
      `select delivery.record_attempt(
         attempt_id => c.attempt_id, outcome => c.outcome, vendor_message_id => c.vendor_message_id,
         vendor_error => c.vendor_error, price => c.price, currency => c.currency, duration_ms => c.duration_ms,
         retry_after_seconds => c.retry_after_seconds
       ) as wait_ms
       from unnest(
         $1::uuid[], $2::text[], $3::text[], $4::text[], $5::numeric[], $6::text[], $7::integer[], $8::integer[]
       ) with ordinality as c(
         attempt_id, outcome, vendor_message_id, vendor_error, price, currency, duration_ms, retry_after_seconds, position
       ) order by c.position`,
      [
        column(({ attemptId }) => attemptId),
        column(({ result }) => result.outcome),
        column(({ result }) => result.vendorMessageId),
        column(({ result }) => result.reason),
        column(({ result }) => result.price),
        column(({ result }) => result.currency),
        column(({ durationMs }) => Math.round(durationMs)),
        column(({ result }) => result.retryAfterSeconds),
      ],
    );
    return rows.map(({ wait_ms }) => wait_ms ?? undefined);
  }

  async function cleanUpSlice({ step, page }: CleanUpProgress): Promise<CleanUpProgress | undefined> {
    const { rows } = await pool.query<CleanUpProgress>(
      "select * from delivery.clean_up(step => $1::integer, page => $2::bigint)",
      [step, page],
    );
    return rows[0];
  }

  const issues = createBatcher({
    ...{ maxSize: maxBatchSize, lockKeyOf: ({ otpId }: Issue) => otpId },
    runBatch: issueAll,
    runSingle: async (issue: Issue) => (await issueAll([issue]))[0],
  });
  const records = createBatcher({
    ...{ maxSize: maxBatchSize, lockKeyOf: ({ attemptId }: Recording) => attemptId },
    runBatch: recordAll,
    runSingle: async (recording: Recording) => (await recordAll([recording]))[0],
  });

  return {
    issueOtpCode: (otpId, codeKey, unavailable) => issues.call({ otpId, codeKey, unavailable }),

    recordAttempt: (attemptId, result, durationMs) => records.call({ attemptId, result, durationMs }),

    async providersInUse() {
      const { rows } = await pool.query<ProviderInUse>("select * from delivery.providers_in_use()");
      return rows;
    },

    async heartbeat(worker, canSend) {
      await pool.query("select delivery.heartbeat(worker => $1::text, can_send => $2::boolean)", [
        worker,
        canSend,
      ]);
    },
    async cleanUp() {
      let progress: CleanUpProgress | undefined = { step: 1, page: "0" };
      const failures: unknown[] = [];
      while (progress && progress.step !== null) {
        const slice: CleanUpProgress = progress;
        try {
          progress = await cleanUpSlice(slice);
        } catch (error) {
          if (slice.step !== erasureStep || failures.push(error) === mostFailedErasures) throw error;
          progress = { ...slice, page: String(Number(slice.page) + 1) };
        }
      }
      if (failures.length > 0)
        throw new AggregateError(
          failures,
          `${failures.length} accounts were not erased: ${String(failures[0])}`,
        );
    },
  };
}

/**
 * Unlocks the jobs of workers that are dead.
 * @param client a connection outside the pool, so that the call fails when the connection is lost. Retried later, it could
 *   meet living workers that have not yet taken their advisory locks again.
 * @returns the number of dead workers found
 */
export async function unlockDeadWorkers(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ unlocked: number }>(
    "select delivery.unlock_dead_workers() as unlocked",
  );
  return rows[0]?.unlocked ?? 0;
}

/**
 * Unlocks the jobs that were locked for this worker but that it never heard of.
 * @param client as for unlockDeadWorkers
 * @param lostOf picks, of the jobs that have been locked for 20 seconds, those that the worker never received. They are read first:
 *   by then it has received, or given up to wait for, every one of them.
 * @returns the number of jobs
 */
export async function unlockLostJobs(
  client: pg.Client,
  poolId: string,
  lostOf: (locked: Attempt[]) => Attempt[],
): Promise<number> {
  const { rows: locked } = await client.query<Attempt>(
    "select id, attempts from delivery.jobs_locked_for($1)",
    [poolId],
  );
  const lost = lostOf(locked);
  if (lost.length === 0) return 0;
  const { rows } = await client.query<{ unlocked: number }>(
    "select delivery.unlock_lost_jobs($1, $2, $3) as unlocked",
    [poolId, lost.map(({ id }) => id), lost.map(({ attempts }) => attempts)],
  );
  return rows[0]?.unlocked ?? 0;
}
