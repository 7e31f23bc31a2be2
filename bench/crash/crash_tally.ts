import type { CodeCheck } from "./crash_codes.ts";
import type { SentRequest } from "./crash_load.ts";
import type { Sms } from "./crash_vendor.ts";
import { isAnswerLost, victimOf, victims, type Kill } from "./crash_victims.ts";

/** What the database holds about a request, found by its phone. */
export interface StoredOtp {
  phone: string;
  delivery: string;
  attempts: { id: string; outcome: string | null; started_at: number }[];
}

export interface Evidence {
  kills: Kill[];
  requests: SentRequest[];
  received: Sms[];
  stored: StoredOtp[];
  checks: Map<string, CodeCheck>;
}

export interface Row {
  kills: number;
  requests: number;
  sent: number;
  refused: number;
  unanswered: number;
  lost: number;
  /** Two messages, because the worker was killed before it could record the vendor's answer. */
  doubleLostAnswer: number;
  doubleOther: number;
  /** Sent, or with a code that verifies, although the answer said that nothing was sent. */
  afterCancel: number;
}

/** The longest that a message may take: the default lifetime of a code, less the minute that it takes to type it. */
const longestMs = 240_000;

/** A line of the table: what was killed during the request, or last before it. */
export const lines = [...victims, "none"] as const;
export type Line = (typeof lines)[number];

export interface Tally {
  rows: Record<Line, Row>;
  /** What was wrong, for each request. */
  faults: string[];
}

export const emptyRow = (): Row => ({
  ...{ kills: 0, requests: 0, sent: 0, refused: 0, unanswered: 0 },
  ...{ lost: 0, doubleLostAnswer: 0, doubleOther: 0, afterCancel: 0 },
});

/** Compares the answers to clients with what the vendor received and what the codes do. */
export function tally(evidence: Evidence): Tally {
  const { kills, requests } = evidence;
  const smsOf = Map.groupBy(evidence.received, ({ phone }) => phone);
  const storedOf = new Map(evidence.stored.map((otp) => [otp.phone, otp]));
  const rows = Object.fromEntries(lines.map((line) => [line, emptyRow()])) as Record<Line, Row>;
  const faults: string[] = [];
  for (const { victim } of kills) rows[victim].kills++;

  for (const request of requests) {
    const sms = smsOf.get(request.phone) ?? [];
    const stored = storedOf.get(request.phone);
    const row = rows[victimOf(request, sms.at(-1)?.receivedAt, kills)];
    row.requests++;
    if (sms.length > 0) row.sent++;
    if (request.status === 0) row.unanswered++;
    else if (request.status >= 500) row.refused++;

    const addFault = (what: string) => faults.push(`${request.kind} to ${request.phone}: ${what}`);
    const loss = lossOf(request, sms, stored, evidence.checks.get(request.phone));
    if (loss) {
      row.lost++;
      addFault(loss);
    }
    const cancelled = sentAfterCancel(request, stored, evidence.checks.get(request.phone));
    if (cancelled) {
      row.afterCancel++;
      addFault(cancelled);
    }
    let first: Sms | undefined;
    for (const second of sms) {
      const wrong = first && wrongDouble(first, second, stored, evidence);
      if (wrong) {
        row.doubleOther++;
        addFault(wrong);
      } else if (first) row.doubleLostAnswer++;
      first = second;
    }
  }
  return { rows, faults };
}

function lossOf(
  { kind, status, startedAt, endedAt }: SentRequest,
  sms: Sms[],
  stored: StoredOtp | undefined,
  check: CodeCheck | undefined,
): string | undefined {
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
function sentAfterCancel(
  { code, endedAt }: SentRequest,
  stored: StoredOtp | undefined,
  check: CodeCheck | undefined,
): string | undefined {
  if (code !== "OTP_SEND_FAILED") return undefined;
  if (stored?.attempts.some(({ started_at }) => started_at > endedAt))
    return "answered as not sent, and sent afterwards";
  return check?.newestVerifies || check?.olderVerifies
    ? "answered as not sent, and its code verifies"
    : undefined;
}

/** Why no second message should have been sent, or not this one; undefined if it is allowed. */
function wrongDouble(
  first: Sms,
  second: Sms,
  stored: StoredOtp | undefined,
  { kills, checks }: Evidence,
): string | undefined {
  if (first.attemptId === second.attemptId) return "one attempt was sent twice";
  if (first.code === second.code) return "two messages with the same code";
  if (checks.get(first.phone)?.olderVerifies) return "two messages, and the older code verifies";
  if (stored?.attempts.find(({ id }) => id === first.attemptId)?.outcome === "sent")
    return "two messages, although the first is recorded as sent";
  if (isAnswerLost(first, kills)) return undefined;
  const kill = kills.find(({ victim, at }) => victim === "worker" && at >= first.receivedAt);
  const laterMs = kill && kill.at < second.receivedAt ? kill.at - (first.answeredAt ?? kill.at) : undefined;
  return laterMs === undefined
    ? "two messages, and the worker was not killed between them"
    : `two messages: the worker was killed only ${laterMs} ms after the vendor's answer`;
}
