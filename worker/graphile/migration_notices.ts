import type pg from "pg";

/**
 * Keeps the notifications of "worker:migrate" from graphile-worker, which ends its queue when one says that the queue's
 * schema is too new for it: every login role can send them, and in a loop no SMS would be sent. Only db:migrate changes
 * that schema. Goes when graphile-worker looks into the database instead of believing the notification (0.18.0,
 * dist/main.js, believes it).
 */
export function ignoreMigrationNotices(client: pg.PoolClient): void {
  const emit = client.emit.bind(client) as (...args: unknown[]) => boolean;
  const filtered = (event: string, ...args: unknown[]) => {
    const isNotice = event === "notification" && (args[0] as pg.Notification).channel === "worker:migrate";
    return !isNotice && emit(event, ...args);
  };
  client.emit = filtered as typeof client.emit;
}
