import { bearer } from "../../testing/service/rest_client.ts";
import { createAuthenticator, type Authenticator } from "../../testing/service/software_authenticator.ts";
import { totp } from "../../testing/service/totp.ts";
import { runConcurrently } from "./figures.ts";
import { dataOf, from, nextStranger, type LeanClient } from "./lean_client.ts";
import type { MeasuredService } from "./measured_service.ts";
import type { Plan, Work } from "./rounds.ts";

const auth = "/api/v1/auth";
const password = "correct horse battery";

/** Opens accounts with a password. */
export async function registered({ query }: MeasuredService, client: LeanClient, count: number): Promise<string[]> {
  const people = Array.from({ length: count }, nextStranger);
  await runConcurrently(count, 4, async (index) => {
    const { phone, headers } = people[index] ?? nextStranger();
    await client.post(`${auth}/register`, { phone, password }, headers);
  });
  const phones = people.map(({ phone }) => phone);
  await query("select private.confirm_registration(r) from private.pending_registration r where phone = any ($1)", [
    phones,
  ]);
  return phones;
}

export const logIn = async (client: LeanClient, phone: string, index: number) =>
  dataOf(await client.post(`${auth}/login`, { phone, password }, from(1_000_000 + index)));

const contentOf = (answer: unknown) => (answer as { data: Record<string, string> }).data;
interface Begun {
  data: { challenge_id: string; options: { challenge: string; user: { id: string } } };
}

/** Both requests of a sign-in by passkey alone: the options, and the answer. The server must trust a proxy on loopback. */
export async function passkeyLogins(service: MeasuredService, client: LeanClient, { width }: Plan): Promise<Work> {
  await service.set({ LOGINS_PER_PHONE: "off" });
  const passkeys: Authenticator[] = [];
  for (const [index, phone] of (await registered(service, client, width * 4)).entries()) {
    const headers = bearer((await logIn(client, phone, index)).access_token);
    const begun = (await client.post(`${auth}/factors/passkey/options`, undefined, headers)) as Begun;
    const { challenge_id, options } = begun.data;
    const passkey = createAuthenticator();
    await client.post(`${auth}/factors/passkey`, { challenge_id, credential: passkey.create(options) }, headers);
    passkeys.push(passkey);
  }
  return async (index) => {
    const { data } = (await client.post(`${auth}/login/passkey/options`, undefined, from(index))) as Begun;
    const credential = passkeys[index % passkeys.length]?.get(data.options);
    return dataOf(
      await client.post(`${auth}/login/passkey`, { challenge_id: data.challenge_id, credential }, from(index)),
    );
  };
}

/** Both requests of a sign-in by password and an app's code. An app's code signs in once: each request has an app of its own. */
export async function totpLogins(service: MeasuredService, client: LeanClient, { count }: Plan): Promise<Work> {
  const people = (await registered(service, client, count)).map((phone) => ({ phone, secret: "" }));
  await runConcurrently(count, 2, async (index) => {
    const person = people[index];
    if (!person) return;
    const headers = bearer((await logIn(client, person.phone, index)).access_token);
    const { factor_id, secret = "" } = contentOf(await client.post(`${auth}/factors/totp`, {}, headers));
    await client.post(`${auth}/factors/totp/verify`, { factor_id, code: totp(secret) }, headers);
    person.secret = secret;
  });
  await service.query('update "user".factor set last_step = null');
  return async (index) => {
    const person = people.pop();
    if (!person) throw new Error("more requests than planned");
    const refusal = await logIn(client, person.phone, index).then(() => "no second step", String);
    const [, challenge_id] = /"challenge_id":"([^"]+)"/.exec(refusal) ?? [];
    if (challenge_id === undefined) throw new Error(refusal);
    const body = { challenge_id, code: totp(person.secret) };
    return dataOf(await client.post(`${auth}/login/factor`, body, from(1_000_000 + index)));
  };
}
