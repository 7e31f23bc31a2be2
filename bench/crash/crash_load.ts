import { setTimeout as delay } from "node:timers/promises";
import { tokensOf, type Client } from "../../testing/service/rest_client.ts";
import { runConcurrently } from "../parts/figures.ts";
import { nextStranger } from "../parts/lean_client.ts";
import type { CodeCheck, ReceivedCode, SentRequest } from "./crash_tally.ts";

/** Sessions that are refreshed once a second. */
const refreshed = 8;

/**
 * Starts clients that make `rate` requests a second, in turn POST /otp/send and POST /auth/reset-password, each with a
 * phone of its own, and others that refresh their sessions.
 */
export function startCrashLoad(client: Client, rate: number) {
  const requests: SentRequest[] = [];
  /** Refusals, and answers that do not fit the OpenAPI document. */
  const faults = new Set<string>();
  const state = { isStopped: false, lostSessions: 0 };
  const unanswered = (error: unknown) => {
    // fetch fails with a TypeError when the connection is refused or lost.
    if (!(error instanceof TypeError)) faults.add((error as Error).message);
    return undefined;
  };

  async function make(kind: SentRequest["kind"]): Promise<void> {
    const { phone, headers } = nextStranger();
    const startedAt = Date.now();
    // The code of a send can be verified for an account without a registration.
    const answer =
      kind === "send"
        ? client.sendOtp(phone, "PASSWORD_RESET", headers)
        : client.post("/auth/reset-password", { phone }, headers);
    const { status = 0, code } = (await answer.catch(unanswered)) ?? {};
    if (status >= 400 && status < 500) faults.add(`${kind} ${status} ${code}`);
    requests.push({ kind, phone, startedAt, endedAt: Date.now(), status, code });
  }

  async function send(): Promise<void> {
    const running: Promise<void>[] = [];
    for (let number = 0; !state.isStopped; number++) {
      running.push(make(number % 2 === 0 ? "send" : "reset"));
      await delay(1_000 / rate);
    }
    await Promise.all(running);
  }

  /** A session of which a refresh is refused, although nobody has ended it, is lost. */
  async function refresh(): Promise<void> {
    let token: string | undefined;
    while (!state.isStopped) {
      const answer = await (
        token === undefined
          ? client.post("/auth/session/guest", undefined, nextStranger().headers)
          : client.refresh(token)
      ).catch(unanswered);
      if (answer?.status === 200) token = tokensOf(answer).refresh_token;
      if (answer?.status === 401) {
        state.lostSessions++;
        token = undefined;
      }
      await delay(1_000);
    }
  }

  const running = [send(), ...Array.from({ length: refreshed }, refresh)];
  return {
    requests,
    faults,
    lostSessions: () => state.lostSessions,
    async stop() {
      state.isStopped = true;
      await Promise.all(running);
    },
  };
}

/** A phone's code is blocked after few wrong guesses. */
const olderTried = 2;
/** The first requests after a crash of PostgreSQL fail on lost connections. */
const maxTries = 20;

async function verifies(client: Client, phone: string, otp: string): Promise<boolean> {
  const body = { phone, otp, newPassword: "another fine password" };
  for (let tries = 0; tries < maxTries; tries++) {
    const { status, code } = await client.post("/auth/reset-password/verify", body, nextStranger().headers);
    // A request that was answered 503 may have used the code.
    if (status === 200 || code === "OTP_ALREADY_USED") return true;
    if (code === "INVALID_OTP") return false;
    if (status !== 503) throw new Error(`a code is neither right nor wrong: ${status} ${code}`);
    await delay(500);
  }
  throw new Error("the server refuses to verify codes");
}

/** Tries the codes that each phone received, in the order in which they arrived: the older ones first. */
export async function checkCodes(client: Client, received: ReceivedCode[]): Promise<Map<string, CodeCheck>> {
  const checks = new Map<string, CodeCheck>();
  const phones = [...Map.groupBy(received, ({ phone }) => phone)];
  await runConcurrently(phones.length, 8, async (index) => {
    const [phone, messages] = phones[index] ?? ["", []];
    const codes = messages.map(({ code }) => code);
    const newest = codes.at(-1) ?? "";
    let olderVerifies = false;
    for (const code of codes.slice(0, -1).slice(-olderTried))
      olderVerifies ||= code !== newest && (await verifies(client, phone, code));
    checks.set(phone, { olderVerifies, newestVerifies: await verifies(client, phone, newest) });
  });
  return checks;
}
