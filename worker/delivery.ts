import type pg from "pg";
import type { ReconnectingPool } from "./reconnecting_pool.ts";

/** What came of handing a message to a vendor; delivery.record_delivery says what each means for limits and retries. */
export type Outcome = "sent" | "refused" | "unreachable" | "uncertain";

/** delivery.message: what issue_otp_code returns. */
export interface Message {
  otp_id: string;
  provider: string;
  options: Record<string, unknown>;
  recipient: string;
  body: string;
}

/** delivery.provider: the SMS provider in use. */
export interface ProviderInUse {
  name: string;
  options: Record<string, unknown>;
}

export interface Delivery {
  issueOtpCode: (otpId: string, codeKey: Buffer) => Promise<Message | undefined>;
  /** Resolves with whether the message is to be tried again later. */
  recordDelivery: (otpId: string, outcome: Outcome) => Promise<boolean>;
  /** Resolves with undefined where none is set. */
  providerInUse: () => Promise<ProviderInUse | undefined>;
  /** Shows api.check_readiness that this worker runs, and whether it can send. */
  heartbeat: (worker: string, canSend: boolean) => Promise<void>;
  /** Deletes what nobody needs any more, in slices that are transactions of their own. */
  cleanUp: () => Promise<void>;
}

/** delivery.clean_up_progress: where the next slice begins; step is null when all tables are done. */
interface CleanUpProgress {
  step: number | null;
  page: string | null;
}

/**
 * The worker's one door into SQL: the functions of schema delivery. A restart of PostgreSQL interrupts no send: a code that
 * was issued and lost is issued again, and what a vendor has answered is recorded once PostgreSQL is back.
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
 * Frees the jobs of workers that do not live any more. Result: how many those were.
 * @param client whose loss is the loss of the call: it must not run later, when others are only about to show that they live
 */
export async function unlockDeadWorkers(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ unlocked: number }>(
    "select delivery.unlock_dead_workers() as unlocked",
  );
  return rows[0]?.unlocked ?? 0;
}
