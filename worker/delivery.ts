import { createBatcher } from "../runtime/batch.ts";
import type { AttemptResult, Message, ProviderInUse } from "./message.ts";
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
  /** Resolves with the providers in the order in which they are tried; an empty array if OTP_PROVIDER is not set. */
  providersInUse: () => Promise<ProviderInUse[]>;
  /** Records that this worker runs and whether it can send, for api.check_readiness. */
  heartbeat: (worker: string, canSend: boolean) => Promise<void>;
  /** Deletes one slice of expired rows, in a transaction of its own. Resolves with where the next slice begins. */
  cleanUpSlice: (progress: CleanUpProgress) => Promise<CleanUpProgress | undefined>;
}

/** SQL type delivery.clean_up_progress: where the next slice begins. `step` is null once all tables are done. */
export interface CleanUpProgress {
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
 * Creates the worker's only access to SQL: the functions of schema delivery. Calls that arrive together are
 * batched: a commit after NOTIFY waits until every other such commit is on disk. Calls that a send depends on are retried when
 * PostgreSQL restarts, also if the first call may have been committed: a code that was lost is issued again, and an outcome that is
 * recorded twice decides nothing twice.
 */
export function createDelivery(
  pool: Pick<ReconnectingPool, "query" | "queryWithRetry">,
  batches = true,
): Delivery {
  async function issueAll(calls: Issue[]): Promise<(Message | undefined)[]> {
    const rows = await pool.queryWithRetry<{ message: Message | null }>(
      `select row_to_json(delivery.issue_otp_code(otp_id => c.otp_id, code_key => $2::bytea, unavailable => $3::text[])) as message
       from unnest($1::uuid[]) with ordinality as c(otp_id, position) order by c.position`,
      // All calls of a worker have the same key, and its list of unavailable providers changes rarely: any call's serves the whole batch.
      [calls.map(({ otpId }) => otpId), calls[0]?.codeKey, calls[0]?.unavailable],
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

  const issueOne = async (issue: Issue) => (await issueAll([issue]))[0];
  const recordOne = async (recording: Recording) => (await recordAll([recording]))[0];
  const issues = createBatcher({
    ...{ maxSize: maxBatchSize, lockKeyOf: ({ otpId }: Issue) => otpId },
    ...{ runBatch: issueAll, runSingle: issueOne },
  });
  const records = createBatcher({
    ...{ maxSize: maxBatchSize, lockKeyOf: ({ attemptId }: Recording) => attemptId },
    ...{ runBatch: recordAll, runSingle: recordOne },
  });
  const [issue, record] = batches ? [issues.call, records.call] : [issueOne, recordOne];

  return {
    issueOtpCode: (otpId, codeKey, unavailable) => issue({ otpId, codeKey, unavailable }),

    recordAttempt: (attemptId, result, durationMs) => record({ attemptId, result, durationMs }),

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

    async cleanUpSlice({ step, page }) {
      const { rows } = await pool.query<CleanUpProgress>(
        "select * from delivery.clean_up(step => $1::integer, page => $2::bigint)",
        [step, page],
      );
      return rows[0];
    },
  };
}
