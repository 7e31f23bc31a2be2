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
  /** Resolves with the event to send next; undefined if there is none now. @param inFlight ids of events being sent */
  nextEvent: (subscriptionId: string, inFlight: string[]) => Promise<EventMessage | undefined>;
  /** Records how an attempt ended. @param error why the target did not take the event; undefined: it did */
  recordEventDelivery: (subscriptionId: string, eventId: string, error: string | undefined) => Promise<void>;
  /** Records that this worker runs, whether it can send, and the providers that it could use. */
  heartbeat: (worker: string, canSend: boolean, providers: string[]) => Promise<void>;
  /** Deletes one slice of expired rows, in a transaction of its own. Resolves with where the next slice begins. */
  cleanUpSlice: (progress: CleanUpProgress) => Promise<CleanUpProgress>;
  /** Erases one account whose deletion is due, after as many as are skipped. Resolves with whether there was one. */
  eraseDueAccount: (skipped: number) => Promise<boolean>;
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

    async nextEvent(subscriptionId, inFlight) {
      const [row] = await pool.queryWithRetry<EventMessage | { event_id: null }>(
        "select * from delivery.next_event(subscription_id => $1::text, in_flight => $2::uuid[])",
        [subscriptionId, inFlight],
      );
      return row?.event_id ? row : undefined;
    },

    async recordEventDelivery(subscriptionId, eventId, error) {
      await pool.queryWithRetry(
        "select delivery.record_event_delivery(subscription_id => $1::text, event_id => $2::uuid, error => $3::text)",
        [subscriptionId, eventId, error],
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
