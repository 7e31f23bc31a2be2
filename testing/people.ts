import { eventually } from "./eventually.ts";
import type { Service } from "./service.ts";
import { tokensOf, type Tokens } from "./client.ts";

let lastPhone = 0;

/** A phone that no other test of this file uses. */
export function newPhone(): string {
  return `+1212555${String(++lastPhone).padStart(4, "0")}`;
}

export const goodPassword = "correct horse battery";

export interface Person {
  phone: string;
  password: string;
}

/** Registers and verifies over HTTP, as a person does, and leaves no trace in the limits. */
export async function signUp(service: Service, phone = newPhone(), password = goodPassword): Promise<Person> {
  const { client, gateway } = service;
  await client.post("/auth/register", { phone, password });
  const [, otp] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
  const verified = await client.post("/auth/register/verify", { phone, otp });
  if (verified.status !== 200) throw new Error(`signing up failed: ${JSON.stringify(verified.body)}`);
  await forgetLimits(service, phone);
  return { phone, password };
}

/** Asks for a reset; the code, once it counts: nobody waits for the worker here, so it may still be recording the SMS. */
export async function askForReset(
  service: Service,
  phone: string,
  headers: Record<string, string> = {},
): Promise<string> {
  const { client, gateway, database } = service;
  const asked = await client.post("/auth/reset-password", { phone }, headers);
  if (asked.status !== 200) throw new Error(`asking for a reset failed: ${JSON.stringify(asked.body)}`);
  const sms = await gateway.next(phone);
  await eventually("the SMS is recorded", async () => {
    const rows = await database.query(
      "select from platform.otp_transaction where id = $1 and delivery = 'sent' and current_since is not null",
      [sms.id],
    );
    return rows.length === 1;
  });
  return sms.body.slice(0, 6);
}

export async function logIn(
  { client }: Pick<Service, "client">,
  { phone, password }: Person,
): Promise<Tokens> {
  return tokensOf(await client.post("/auth/login", { phone, password }));
}

/** As if an hour had passed for everything that is counted of this phone. */
export async function forgetLimits({ database }: Service, phone: string): Promise<void> {
  await database.query("delete from platform.rate_limit where strpos(key, $1) > 0", [phone]);
}
