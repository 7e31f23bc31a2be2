import type pg from "pg";
import { asUnavailable } from "../../runtime/database/errors.ts";
import type { AuthorizerOptions } from "./authorizer.ts";

/**
 * What the authorizer asks the database about requests with the admin secret, right or wrong: functions of schema api.
 */
export function createSessions(pool: pg.Pool): AuthorizerOptions["database"] {
  const ask = async <Row extends pg.QueryResultRow>(text: string, value: string): Promise<Row | undefined> => {
    try {
      return (await pool.query<Row>(text, [value])).rows[0];
    } catch (error) {
      throw asUnavailable(error);
    }
  };
  return {
    findSession: (sessionId) =>
      ask(
        "select role, user_id, refresh_token_expires_at, claims::text as claims from api.authorize($1) where error is null",
        sessionId,
      ),
    countAdminFailure: async (client) => {
      const row = await ask<{ details: Record<string, unknown> | null }>(
        "select (error).details from api.count_admin_failure($1)",
        client,
      );
      return row?.details ?? undefined;
    },
  };
}
