import { DatabaseClient } from "../../runtime/database/client.ts";
import { OperatorError } from "../../runtime/operator_error.ts";
import type { StoryRequest } from "./explain_arguments.ts";

export interface StoryEvent {
  at: Date;
  what: string;
  otp_id: string | null;
  details: string | null;
}

/** @throws OperatorError when the query fails */
export async function readStory(connectionString: string, request: StoryRequest): Promise<StoryEvent[]> {
  const [source, values] =
    "requestId" in request
      ? ["platform.explain_refusal($1)", [request.requestId]]
      : ["platform.explain_delivery($1, now() - make_interval(secs => $2))", [request.identifier, request.seconds]];
  const client = new DatabaseClient({
    connectionString,
    application_name: "latchkey explain",
    connectionTimeoutMillis: 10_000,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("begin read only");
    await client.query("set local role latchkey_admin");
    const { rows } = await client.query<StoryEvent>(`select at, what, otp_id, details from ${source}`, values);
    await client.query("commit");
    return rows;
  } catch (error) {
    throw new OperatorError(
      `The database that GRAPHQL_DATABASE_URL names did not answer: ${(error as Error).message}. ` +
        "It must be one that npm run db:migrate of this version has migrated.",
      { cause: error },
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Replaces control characters: vendors write parts of the details, and a terminal would execute them. */
const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, "?");
const toSeconds = (at: Date): string => at.toISOString().slice(0, 19).replace("T", " ");
/** The end of an id distinguishes one-time passwords: ids of the same time begin with the same characters. */
const shortId = (id: string | null): string => (id ?? "").slice(-6).padEnd(6);

/** Formats a story as a table: a line for each event, and its details below it. */
export function formatStory(request: StoryRequest, events: StoryEvent[]): string {
  // A request without a stored refusal has one row, which says why that can be.
  if (!("requestId" in request) && events.length === 0)
    return (
      `No code was requested for ${request.identifier} in the last ${request.since}, and nothing is refused now. ` +
      "A request that its client's limit refused is in the server's log only, which npm start writes with LOG_LEVEL=info. One that a fraud rule " +
      "refused is in platform.send_decision, without the phone (docs/repair.md#i-never-got-my-sms)."
    );
  const lines = events.flatMap(({ at, what, otp_id, details }) => [
    `${toSeconds(at)}  ${shortId(otp_id)}  ${printable(what)}`,
    ...(details === null ? [] : [`${" ".repeat(29)}${printable(details)}`]),
  ]);
  return [
    "requestId" in request
      ? `${request.requestId}: what refused this request`
      : `${request.identifier}: codes that were requested in the last ${request.since}, and what is refused now`,
    "",
    `${"time (UTC)".padEnd(19)}  ${"code".padEnd(6)}  what happened`,
    ...lines,
  ].join("\n");
}
