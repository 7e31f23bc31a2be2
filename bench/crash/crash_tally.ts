/** A process that SIGKILL ends. */
export const killed = ["worker", "server", "postmaster", "backend"] as const;
/** A restart: PostgreSQL's fast and immediate shutdown, and SIGTERM to the server. */
export const restarted = ["fast", "immediate", "stopped server"] as const;
export type Victim = (typeof killed | typeof restarted)[number];
/** Those that end the sessions of PostgreSQL. */
const ofPostgres: Victim[] = ["postmaster", "backend", "fast", "immediate"];

/** A message that the vendor received. */
export interface ReceivedCode {
  attemptId: string;
  phone: string;
  code: string;
  receivedAt: number;
  /** Undefined: the sender was gone before the answer was due. */
  answeredAt: number | undefined;
}

/** All times are of Date.now(). */
export interface Kill {
  victim: Victim;
  at: number;
  /** When the process ran again. */
  upAgainAt: number;
}

/** A request and its answer. Each has a phone of its own, and an account. */
export interface SentRequest {
  kind: "send" | "reset";
  phone: string;
  startedAt: number;
  endedAt: number;
  /** 0: no response. */
  status: number;
  code: string | undefined;
}

/** Whether the codes that a phone received verify. */
export interface CodeCheck {
  newestVerifies: boolean;
  olderVerifies: boolean;
}

/** What the database holds about a request, found by its phone. */
export interface StoredOtp {
  phone: string;
  delivery: string;
  attempts: { id: string; outcome: string | null; started_at: number }[];
}

/** Everything that is known about one request. */
interface Evidence {
  request: SentRequest;
  sms: ReceivedCode[];
  stored: StoredOtp | undefined;
  check: CodeCheck | undefined;
  kills: Kill[];
}

/** The longest that a message may take: the default lifetime of a code, less the minute that it takes to type it. */
const longestMs = 240_000;
/** Within this time the worker records an answer, even on a machine that all of these processes overload. */
const recordingMs = 5_000;
/** The same after PostgreSQL was unavailable: the worker's longest pause before it connects again is two seconds. */
const reconnectingMs = 2_000 + recordingMs;

function lossOf({ request, sms, stored, check }: Evidence): string | undefined {
  const { kind, status, startedAt, endedAt } = request;
  const [first] = sms;
  if (status === 200 && kind === "send" && !sms.some(({ answeredAt = Infinity }) => answeredAt <= endedAt))
    return "answered as sent, and the vendor has accepted no message";
  if (status === 200 && !first) return "acknowledged, and no message arrived";
  if (status === 200 && (first?.receivedAt ?? 0) - startedAt > longestMs)
    return "acknowledged, and the message arrived too late";
  if (check && !check.newestVerifies && (status === 200 || stored?.delivery === "sent"))
    return "the newest code does not verify";
  return undefined;
}

/** OTP_SEND_FAILED is answered once the row is settled: no attempt may start after that, and no code may verify. */
function sentAfterCancel({ request, stored, check }: Evidence): string | undefined {
  if (request.code !== "OTP_SEND_FAILED") return undefined;
  if (stored?.attempts.some(({ started_at }) => started_at > request.endedAt))
    return "answered as not sent, and sent afterwards";
  return check?.newestVerifies || check?.olderVerifies ? "answered as not sent, and its code verifies" : undefined;
}

/**
 * Whether the worker was killed after the vendor had the message, and before it can have recorded the vendor's answer.
 */
function isAnswerLost({ receivedAt, answeredAt = Infinity }: ReceivedCode, kills: Kill[]): boolean {
  let recordedBy = answeredAt + recordingMs;
  for (const { victim, at, upAgainAt } of kills)
    if (ofPostgres.includes(victim) && at <= recordedBy) recordedBy = Math.max(recordedBy, upAgainAt + reconnectingMs);
  return kills.some(({ victim, at }) => victim === "worker" && at >= receivedAt && at <= recordedBy);
}

/** Why no second message should have been sent, or not this one; undefined if it is allowed. */
function wrongDouble(
  first: ReceivedCode,
  second: ReceivedCode,
  { stored, check, kills }: Evidence,
): string | undefined {
  if (first.attemptId === second.attemptId) return "one attempt was sent twice";
  if (first.code === second.code) return "two messages with the same code";
  if (check?.olderVerifies) return "two messages, and the older code verifies";
  if (stored?.attempts.find(({ id }) => id === first.attemptId)?.outcome === "sent")
    return "two messages, although the first is recorded as sent";
  return isAnswerLost(first, kills) ? undefined : "two messages, and no killed worker explains the second";
}

/** What went wrong, by its kind, and how many doubles are allowed because the vendor's answer was lost. */
export interface Tally {
  lost: string[];
  afterCancel: string[];
  wrongDoubles: string[];
  allowedDoubles: number;
}

/** Compares the answers to clients with what the vendor received and what the codes do. */
export function tally(
  requests: SentRequest[],
  received: ReceivedCode[],
  storedOtps: StoredOtp[],
  checks: Map<string, CodeCheck>,
  kills: Kill[],
): Tally {
  const result: Tally = { lost: [], afterCancel: [], wrongDoubles: [], allowedDoubles: 0 };
  const smsOf = Map.groupBy(received, ({ phone }) => phone);
  const storedOf = new Map(storedOtps.map((otp) => [otp.phone, otp]));
  for (const request of requests) {
    const { phone, kind } = request;
    const sms = smsOf.get(phone) ?? [];
    const evidence = { request, sms, stored: storedOf.get(phone), check: checks.get(phone), kills };
    const add = (faults: string[], what: string | undefined) => {
      if (what !== undefined) faults.push(`${kind} to ${phone}: ${what}`);
    };
    add(result.lost, lossOf(evidence));
    add(result.afterCancel, sentAfterCancel(evidence));
    for (const [index, second] of sms.entries()) {
      const first = sms[index - 1];
      if (!first) continue;
      const wrong = wrongDouble(first, second, evidence);
      if (wrong === undefined) result.allowedDoubles++;
      add(result.wrongDoubles, wrong);
    }
  }
  return result;
}
