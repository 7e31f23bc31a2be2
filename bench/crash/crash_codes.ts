import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "../../testing/rest_client.ts";
import { runConcurrently } from "../parts/figures.ts";
import { addressOf } from "./crash_load.ts";

/** Whether the codes that a phone received verify. */
export interface CodeCheck {
  newestVerifies: boolean;
  olderVerifies: boolean;
}

/** A phone's code is blocked after few wrong guesses. */
const olderTried = 2;
const inFlight = 8;
/** The first requests after a crash of PostgreSQL fail on lost connections. */
const maxTries = 20;

/** Tries the codes of each phone, in the order in which they arrived: the older ones first. */
export async function checkCodes(
  client: Client,
  codes: Map<string, string[]>,
): Promise<Map<string, CodeCheck>> {
  const checks = new Map<string, CodeCheck>();
  const newPassword = "another fine password";

  async function verifies(phone: string, otp: string): Promise<boolean> {
    const body = { phone, otp, newPassword };
    for (let tries = 0; tries < maxTries; tries++) {
      const { status, code } = await client.post("/auth/reset-password/verify", body, addressOf(phone));
      // A request that was answered 503 may have used the code.
      if (status === 200 || code === "OTP_ALREADY_USED") return true;
      if (code === "INVALID_OTP") return false;
      if (status !== 503) throw new Error(`a code is neither right nor wrong: ${status} ${code}`);
      await delay(500);
    }
    throw new Error("the server refuses to verify codes");
  }

  const entries = [...codes];
  await runConcurrently(entries.length, inFlight, async (index) => {
    const [phone, received] = entries[index] ?? ["", []];
    const newest = received.at(-1) ?? "";
    let olderVerifies = false;
    for (const code of received.slice(0, -1).slice(-olderTried))
      olderVerifies ||= code !== newest && (await verifies(phone, code));
    checks.set(phone, { olderVerifies, newestVerifies: await verifies(phone, newest) });
  });
  return checks;
}
