import { eventually } from "../eventually.ts";
import type { Service } from "./service.ts";
import { tokensOf, type Tokens } from "./rest_client.ts";

let lastPhone = 0;

/**
 * Returns a phone that no other test of this file uses. Files of one process count on, so 0100 to 0199 are left out:
 * the examples of documents have these numbers, and wrong codes for them count.
 */
export function newPhone(): string {
  if (lastPhone === 99) lastPhone = 199;
  return `+1212555${String(++lastPhone).padStart(4, "0")}`;
}

export const goodPassword = "correct horse battery";

export interface Person {
  phone: string;
  password: string;
}

/**
 * Registers and verifies a phone over HTTP, then deletes what the rate limits counted for it. Needs a running worker.
 */
export async function signUp(service: Service, phone = newPhone(), password = goodPassword): Promise<Person> {
  const { client, gateway } = service;
  await client.post("/auth/register", { phone, password });
  const [, otp] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
  const verified = await client.post("/auth/register/verify", { phone, otp });
  if (verified.status !== 200) throw new Error(`POST /auth/register/verify failed: ${JSON.stringify(verified.body)}`);
  await clearRateLimits(service, phone);
  return { phone, password };
}

/**
 * Requests a password reset and returns its code, once the code is valid: the request does not wait for the worker,
 * which may still be recording the SMS when the gateway has received it.
 */
export async function requestPasswordReset(
  service: Service,
  phone: string,
  headers: Record<string, string> = {},
): Promise<string> {
  const { client, gateway, database } = service;
  const answer = await client.post("/auth/reset-password", { phone }, headers);
  if (answer.status !== 200) throw new Error(`POST /auth/reset-password failed: ${JSON.stringify(answer.body)}`);
  const sms = await gateway.next(phone);
  await eventually("the SMS is recorded", async () => {
    const rows = await database.query(
      "select from platform.otp_transaction where id = $1 and delivery = 'sent' and current_since is not null",
      [sms.id],
    );
    return rows.length === 1;
  });
  return /[0-9]{4,10}/.exec(sms.body)![0];
}

export async function logIn({ client }: Pick<Service, "client">, { phone, password }: Person): Promise<Tokens> {
  return tokensOf(await client.post("/auth/login", { phone, password }));
}

/** Deletes what the rate limits have counted for this phone. */
export async function clearRateLimits({ database }: Pick<Service, "database">, phone: string): Promise<void> {
  await database.query("delete from platform.rate_limit where strpos(key, $1) > 0", [phone]);
}
