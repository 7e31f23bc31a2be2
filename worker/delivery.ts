import type { EventMessage } from "./events/event_sender.ts";
import type { AttemptResult, Message, ProviderInUse } from "./message.ts";
import type { RequestIds } from "../runtime/request_ids.ts";
import type { ReconnectingPool } from "./graphile/reconnecting_pool.ts";

export interface Delivery {
  /**
   * Creates a code and returns the message that contains it; undefined if nothing is to be sent.
   * @param unavailable names of providers to avoid
   * @param request its trace is stored with the attempt
   */
  issueOtpCode: (
    otpId: string,
    codeKey: Buffer,
    unavailable: string[],
    request: RequestIds,
  ) => Promise<Message | undefined>;
  /**
   * Records how an attempt ended. Resolves with the milliseconds until the next one; undefined if there is none.
   * @param request goes with the job of a later attempt
   */
  recordAttempt: (
    attemptId: string,
    result: AttemptResult,
    durationMs: number,
    request: RequestIds,
  ) => Promise<number | undefined>;
  /** Resolves with the providers in the order in which they are tried; an empty array if OTP_PROVIDER is not set. */
  providersInUse: () => Promise<ProviderInUse[]>;
  /** Queues a job for every subscription that has events to send now. */
  queueEvents: () => Promise<void>;
  /** Bounds what waits for subscriptions. Resolves with those that are full or late. */
  watchEventBacklogs: () => Promise<EventBacklog[]>;
  /** Resolves with when the first of the events that wait was or is due; null if none waits. */
  firstDue: (subscriptionId: string) => Promise<Date | null>;
  /** Resolves with the events to send next. */
  nextEvents: (subscriptionId: string, search: EventSearch) => Promise<EventMessage[]>;
  /** Records how attempts ended. */
  recordEventDeliveries: (subscriptionId: string, outcomes: EventOutcome[]) => Promise<void>;
  /** Records that this worker runs, whether it can send, and the providers that it could use. */
  heartbeat: (worker: string, canSend: boolean, providers: string[]) => Promise<void>;
  /** Deletes one slice of expired rows, in a transaction of its own. Resolves with where the next slice begins. */
  cleanUpSlice: (progress: CleanUpProgress) => Promise<CleanUpProgress>;
  /** Erases one account whose deletion is due, after as many as are skipped. Resolves with whether there was one. */
  eraseDueAccount: (skipped: number) => Promise<boolean>;
}

/** Which of the events that wait delivery.next_events returns. */
export interface EventSearch {
  /** A recent firstDue. */
  dueFrom: Date | null;
  /** Ids of events that were taken and are not recorded yet. */
  inFlight: string[];
  most: number;
}

/** How an attempt ended. */
export interface EventOutcome {
  eventId: string;
  /** Why the target did not take the event; undefined: it did. */
  error: string | undefined;
}

/** SQL type delivery.event_backlog. */
export interface EventBacklog {
  subscription_id: string;
  waiting_since: Date | null;
  is_full: boolean;
}

/**
 * SQL type delivery.clean_up_progress: where the next slice begins. `step` is null before the first slice, and after
 * the last.
 */
export interface CleanUpProgress {
  step: number | null;
  page: string | null;
}

/**
 * Creates the worker's only access to SQL: the functions of schema delivery. Calls that a send depends on are retried
 * after a temporary failure, also if the first call may have been committed: a code that was lost is issued again, and
 * an outcome that is recorded twice decides nothing twice.
 */
export function createDelivery(pool: Pick<ReconnectingPool, "query" | "queryWithRetry">): Delivery {
  return {
    async issueOtpCode(otpId, codeKey, unavailable, request) {
      const [row] = await pool.queryWithRetry<{ message: Message | null }>(
        `select case when set_config('latchkey.request', $4, true) is not null then row_to_json(
           delivery.issue_otp_code(otp_id => $1::uuid, code_key => $2::bytea, unavailable => $3::text[])
         ) end as message`,
        [otpId, codeKey, unavailable, JSON.stringify(request)],
      );
      return row?.message?.otp_id ? row.message : undefined;
    },

    async recordAttempt(attemptId, result, durationMs, request) {
      const [row] = await pool.queryWithRetry<{ wait_ms: number | null }>(
        `select case when set_config('latchkey.request', $9, true) is not null then delivery.record_attempt(
           attempt_id => $1::uuid, outcome => $2::text, vendor_message_id => $3::text, vendor_error => $4::text,
           price => $5::numeric, currency => $6::text, duration_ms => $7::integer, retry_after_seconds => $8::integer
         ) end as wait_ms`,
        [
          attemptId,
          result.outcome,
          result.vendorMessageId,
          result.reason,
          result.price,
          result.currency,
          Math.round(durationMs),
          result.retryAfterSeconds,
          JSON.stringify(request),
        ],
      );
      return row?.wait_ms ?? undefined;
    },

    async providersInUse() {
      const { rows } = await pool.query<ProviderInUse>("select * from delivery.providers_in_use()");
      return rows;
    },

    async queueEvents() {
      await pool.query("select delivery.queue_events()");
    },

    async watchEventBacklogs() {
      const { rows } = await pool.query<EventBacklog>("select * from delivery.watch_event_backlogs()");
      return rows;
    },

    async firstDue(subscriptionId) {
      const [row] = await pool.queryWithRetry<{ due: Date | null }>("select delivery.first_due($1::text) as due", [
        subscriptionId,
      ]);
      return row?.due ?? null;
    },

    nextEvents: (subscriptionId, { dueFrom, inFlight, most }) =>
      pool.queryWithRetry<EventMessage>(
        `select * from delivery.next_events(
           subscription_id => $1::text, due_from => $2::timestamptz, in_flight => $3::uuid[], most => $4::integer
         )`,
        [subscriptionId, dueFrom, inFlight, most],
      ),

    async recordEventDeliveries(subscriptionId, outcomes) {
      await pool.queryWithRetry(
        `select delivery.record_event_deliveries(
           subscription_id => $1::text, event_ids => $2::uuid[], errors => $3::text[]
         )`,
        [subscriptionId, outcomes.map(({ eventId }) => eventId), outcomes.map(({ error }) => error)],
      );
    },

    async heartbeat(worker, canSend, providers) {
      await pool.query(
        "select delivery.heartbeat(worker => $1::text, can_send => $2::boolean, providers => $3::text[])",
        [worker, canSend, providers],
      );
    },

    async cleanUpSlice({ step, page }) {
      const { rows } = await pool.query<CleanUpProgress>(
        "select * from delivery.clean_up(step => $1::integer, page => $2::bigint)",
        [step, page],
      );
      return rows[0] ?? { step: null, page: null };
    },

    async eraseDueAccount(skipped) {
      const { rows } = await pool.query<{ found: boolean }>(
        "select delivery.erase_due_account(skipped => $1::bigint) as found",
        [skipped],
      );
      return rows[0]?.found ?? false;
    },
  };
}
