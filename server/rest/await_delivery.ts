import type { Answer, OtpAnswer } from "../api_functions.ts";
import type { Database } from "../database.ts";
import type { Deliveries } from "../deliveries.ts";

export type Follow = (
  answer: Answer,
  services: { database: Database; deliveries: Deliveries },
) => Promise<Answer>;

/**
 * POST /otp/send: waits, without a database connection, for what comes of the SMS. Unless NOTIFY said it was sent,
 * the row is asked, which cancels the one-time password where its fate is still open.
 */
export const awaitDelivery: Follow = async (answer, { database, deliveries }) => {
  const { otp_id, wait_seconds } = answer as OtpAnswer;
  if (wait_seconds === null) return answer;
  const outcome = await deliveries.outcome(otp_id, wait_seconds);
  return outcome === "sent" ? answer : database.call<OtpAnswer>("settle_otp_send", { otp_id });
};
