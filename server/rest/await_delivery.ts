import type { Answer, Otp } from "../database/api_answers.ts";
import { api } from "../database/api_functions.ts";
import type { Database } from "../database/database.ts";
import type { RequestIds } from "../../runtime/request_ids.ts";
import type { Deliveries } from "./deliveries.ts";

/** A step of a route between its function's answer and the response. */
export interface Follow<Data> {
  run: (
    data: Data,
    services: { database: Database; deliveries: Deliveries },
    request: RequestIds,
  ) => Promise<Answer<Data>>;
  /** The function that the step calls: the route may also answer its errors. */
  calls: { errors: typeof api.settle_otp_send.errors };
}

/**
 * POST /otp/send and POST /auth/phone wait, without a database connection, for the outcome of the SMS. The row decides:
 * each notification, and the deadline, costs one call that reads it. Only the deadline cancels a one-time password that
 * is still queued.
 */
export const awaitDelivery: Follow<Otp> = {
  calls: api.settle_otp_send,
  async run(otp, { database, deliveries }, request) {
    const { otp_id } = otp;
    let answer: Answer<Otp> = { error: null, data: otp };
    while (answer.data && answer.data.wait_seconds !== null) {
      const wasNotified = await deliveries.notified(otp_id, answer.data.wait_seconds);
      answer = await database.call(api.settle_otp_send, { otp_id, deadline_reached: !wasNotified }, request);
    }
    return answer;
  },
};
