import type { Answer, OtpAnswer } from "../database/api_functions.ts";
import type { Database } from "../database/database.ts";
import type { Deliveries } from "./deliveries.ts";

export type Follow = (
  answer: Answer,
  services: { database: Database; deliveries: Deliveries },
) => Promise<Answer>;

/**
 * POST /otp/send: waits, without a database connection, for what comes of the SMS. The row decides: each notification, and
 * the deadline, costs one call that reads it. Only the deadline cancels a one-time password whose fate is still open.
 */
export const awaitDelivery: Follow = async (answer, { database, deliveries }) => {
  let current = answer as OtpAnswer;
  const { otp_id } = current;
  while (current.wait_seconds !== null) {
    const notified = await deliveries.notified(otp_id, current.wait_seconds);
    current = await database.call<OtpAnswer>("settle_otp_send", { otp_id, deadline_reached: !notified });
  }
  return current;
};
