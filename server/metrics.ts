import { observeRequests } from "../http/http_metrics.ts";
import type { ObserveRequest } from "../http/request_log.ts";
import type { Metrics } from "../runtime/metrics.ts";
import { measurePools } from "../runtime/database/pool_metrics.ts";
import type { Measurement } from "./database/api_answers.ts";
import { api } from "./database/api_functions.ts";
import type { Database, DatabaseState, ObserveCalls } from "./database/database.ts";
import type { PasswordCalls } from "./passwords/password_calls.ts";

type FunctionName = keyof typeof api;

/** How a session is opened, by the function that answers. */
const opens: Partial<Record<FunctionName, string>> = {
  create_guest_session: "guest",
  log_in: "password",
  log_in_by_otp: "code",
  log_in_by_factor: "second_factor",
  log_in_by_passkey: "passkey",
};

/** Why sessions end, by the function that answers. The admin's are in GraphQL's latchkey_admin_changes_total. */
const revokes: Partial<Record<FunctionName, string>> = {
  log_out: "logout",
  revoke_session: "own_list",
  revoke_other_sessions: "own_list",
  change_password: "password_changed",
  reset_password: "password_reset",
  change_phone: "phone_changed",
  delete_account: "account_deleted",
};

/** The reason of the error by which a refresh revokes its session. */
const tokenReused = "token_reused";

/** Once in so many milliseconds at most the database is asked for the installation's state. */
const measureEveryMs = 5_000;

interface Sources {
  database: Pick<Database, "call" | "state">;
  passwords: Pick<PasswordCalls, "queue">;
  sockets: () => number;
}

export interface ServerMetrics {
  observeRequest: ObserveRequest;
  observeCalls: ObserveCalls;
  /** Adds the gauges of what has been opened. */
  measure: (sources: Sources) => void;
}

/** Registers the metrics of a server. */
export function createServerMetrics(metrics: Metrics): ServerMetrics {
  const opened = metrics.counter({
    name: "latchkey_sessions_opened_total",
    help: "Sessions that requests opened, by how.",
    labels: ["by"],
  });
  const revoked = metrics.counter({
    name: "latchkey_sessions_revoked_total",
    help: "Requests that revoked sessions, by why. token_reused: a refresh token that a newer one had replaced.",
    labels: ["reason"],
  });
  const batched = metrics.histogram({
    name: "latchkey_batch_calls",
    help: "Calls that were answered by one statement, by function.",
    labels: ["function"],
    buckets: [1, 2, 4, 8, 16, 32, 64],
  });
  return {
    observeRequest: observeRequests(metrics),
    observeCalls: {
      answer(name, error) {
        if (error?.details?.reason === tokenReused) revoked([tokenReused]);
        if (error) return;
        const by = opens[name as FunctionName];
        if (by !== undefined) opened([by]);
        const reason = revokes[name as FunctionName];
        if (reason !== undefined) revoked([reason]);
      },
      batch: (name, size) => batched([name], size),
    },
    measure({ database, passwords, sockets }) {
      measureQueues(metrics, database.state, passwords);
      metrics.gauge({ name: "latchkey_forwarded_sockets", help: "Sockets that are forwarded to GraphQL." }, () => [
        [[], sockets()],
      ]);
      measureInstallation(metrics, database);
    },
  };
}

function measureQueues(metrics: Metrics, state: () => DatabaseState, { queue }: Pick<PasswordCalls, "queue">): void {
  measurePools(metrics, () => state().pools);
  metrics.gauge(
    { name: "latchkey_batch_waiting", help: "Calls that wait for the next batch, by function.", labels: ["function"] },
    () => state().batches.map(({ name, waiting }) => [[name], waiting] as const),
  );
  metrics.gauge({ name: "latchkey_row_waiting", help: "Calls that wait for another one about the same row." }, () => [
    [[], state().rowWaiting],
  ]);
  metrics.gauge(
    { name: "latchkey_password_calls", help: "Calls that hash a password, by state.", labels: ["state"] },
    () => [
      [["running"], queue.runningCount],
      [["waiting"], queue.waitingCount],
    ],
  );
}

/** What one server says of all: with several, take the max of these. */
function measureInstallation(metrics: Metrics, database: Pick<Database, "call">): void {
  let at = -Infinity;
  let latest: Measurement | undefined;
  metrics.beforeScrape(async () => {
    if (performance.now() - at < measureEveryMs) return;
    at = performance.now();
    // Without an answer the gauges are left out, and do not go on saying what was.
    latest = undefined;
    const { data } = await database.call(api.measure, {}).catch(() => ({ data: undefined }));
    latest = data;
  });

  const gauge = (name: string, help: string, labels: string[], read: (of: Measurement) => [string[], number][]) =>
    metrics.gauge({ name, help, ...(labels.length > 0 && { labels }) }, () => (latest ? read(latest) : []));
  metrics.gauge(
    { name: "latchkey_database_answers", help: "Whether the database has answered the last scrape." },
    () => [[[], latest ? 1 : 0]],
  );
  gauge("latchkey_queue_jobs", "Jobs, by state: due, or later. 10000 at most.", ["state"], (of) => [
    [["due"], of.jobs_due],
    [["later"], of.jobs_later],
  ]);
  gauge("latchkey_queue_oldest_seconds", "For how long the oldest job that is due has waited.", [], (of) => [
    [[], of.oldest_job_ms / 1_000],
  ]);
  gauge("latchkey_workers", "Workers with a recent heartbeat, by whether they can send.", ["can_send"], (of) => [
    [["yes"], of.able_workers],
    [["no"], of.workers - of.able_workers],
  ]);
  gauge(
    "latchkey_codes_sent_recently",
    "SMS of the quarter of an hour that ended five minutes ago, of the latest 3000.",
    ["country", "provider"],
    (of) => of.sends.map(({ country, provider, sent }) => [[country, provider], sent]),
  );
  gauge(
    "latchkey_codes_verified_recently",
    "Those of latchkey_codes_sent_recently whose code was used.",
    ["country", "provider"],
    (of) => of.sends.map(({ country, provider, verified }) => [[country, provider], verified]),
  );
  gauge(
    "latchkey_fraud_verdicts_recently",
    "Decisions of the fraud rules in the last five minutes, of the latest 3000, by verdict and rule.",
    ["verdict", "rule"],
    (of) => of.verdicts.map(({ verdict, rule, sends }) => [[verdict, rule], sends]),
  );
}
