import type pg from "pg";
import type { ReconnectingPool } from "./reconnecting_pool.ts";

/** Result of passing a message to a vendor. delivery.record_delivery defines what each means for limits and retries. */
export type Outcome = "sent" | "refused" | "unreachable" | "uncertain";

/** SQL type delivery.message, which delivery.issue_otp_code returns. */
export interface Message {
  otp_id: string;
  provider: string;
  options: Record<string, unknown>;
  recipient: string;
  body: string;
}

/** SQL type delivery.provider: the SMS provider that the setting OTP_PROVIDER selects. */
export interface ProviderInUse {
  name: string;
  options: Record<string, unknown>;
}

export interface Delivery {
  /** Creates a code and returns the message that contains it; undefined if nothing is to be sent. */
  issueOtpCode: (otpId: string, codeKey: Buffer) => Promise<Message | undefined>;
  /** Records the outcome. Resolves with true if the message must be sent again later. */
  recordDelivery: (otpId: string, outcome: Outcome) => Promise<boolean>;
  /** Resolves with undefined if OTP_PROVIDER is not set. */
  providerInUse: () => Promise<ProviderInUse | undefined>;
  /** Records that this worker runs and whether it can send, for api.check_readiness. */
  heartbeat: (worker: string, canSend: boolean) => Promise<void>;
  /** Deletes expired rows in slices; each slice is a transaction of its own. */
  cleanUp: () => Promise<void>;
}

/** SQL type delivery.clean_up_progress: where the next slice begins. `step` is null once all tables are done. */
interface CleanUpProgress {
  step: number | null;
  page: string | null;
}

/**
 * Creates the worker's only access to SQL: the functions of schema delivery. Calls that a send depends on are retried when
 * PostgreSQL restarts: a code that was lost is issued again, and a vendor's answer is recorded once PostgreSQL is back.
 */
export function createDelivery(pool: Pick<ReconnectingPool, "query" | "queryWithRetry">): Delivery {
  async function cleanUpSlice({ step, page }: CleanUpProgress): Promise<CleanUpProgress | undefined> {
    const { rows } = await pool.query<CleanUpProgress>(
      "select * from delivery.clean_up(step => $1::integer, page => $2::bigint)",
      [step, page],
    );
    return rows[0];
  }

  return {
    async issueOtpCode(otpId, codeKey) {
      const rows = await pool.queryWithRetry<Partial<Message>>(
        "select * from delivery.issue_otp_code(otp_id => $1::uuid, code_key => $2::bytea)",
        [otpId, codeKey],
      );
      return rows[0]?.otp_id ? (rows[0] as Message) : undefined;
    },
    async recordDelivery(otpId, outcome) {
      const rows = await pool.queryWithRetry<{ again: boolean | null }>(
        "select delivery.record_delivery(otp_id => $1::uuid, outcome => $2::text) as again",
        [otpId, outcome],
      );
      return rows[0]?.again ?? false;
    },
    async providerInUse() {
      const { rows } = await pool.query<Partial<ProviderInUse>>("select * from delivery.provider_in_use()");
      return rows[0]?.name ? (rows[0] as ProviderInUse) : undefined;
    },
    async heartbeat(worker, canSend) {
      await pool.query("select delivery.heartbeat(worker => $1::text, can_send => $2::boolean)", [
        worker,
        canSend,
      ]);
    },
    async cleanUp() {
      let progress: CleanUpProgress | undefined = { step: 1, page: "0" };
      while (progress && progress.step !== null) progress = await cleanUpSlice(progress);
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
