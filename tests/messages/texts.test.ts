import { expect } from "vitest";
import { newPhone, signUp } from "../../testing/service/people.ts";
import { test as baseTest } from "../../testing/fixtures.ts";

/** Texts that name their purpose and language. */
const templates = {
  LOGIN: { de: "Anmeldung: {{code}}", "pt-BR": "Login brasileiro: {{code}}", default: "Login: {{code}}" },
  default: { de: "Allgemein: {{code}}", fr: "En général : {{code}}" },
};
const test = baseTest.extend("textOf", ({ service, gateway }) => async (purpose: string, language?: string) => {
  await service.set("OTP_PROVIDER", {
    providerToUse: "http",
    template: "Last resort: {{code}}",
    templates,
    http: { url: gateway.url },
  });
  const phone = newPhone();
  const headers = language === undefined ? {} : { "accept-language": language };
  const [answer, sms] = await Promise.all([service.client.sendOtp(phone, purpose, headers), gateway.next(phone)]);
  expect(answer.status).toBe(200);
  // Nothing in the answer depends on the language.
  expect(answer.headers.get("vary")).toBeNull();
  expect(answer.headers.get("content-language")).toBeNull();
  return sms.body.replace(/[0-9]{6}/, "CODE");
});

test.for([
  ["LOGIN", "de", "Anmeldung: CODE"],
  ["LOGIN", "fr;q=0.9, de-CH;q=0.8, pt-br;q=0.7", "Anmeldung: CODE"],
  ["LOGIN", "en, pt-BR;q=0.5", "Login brasileiro: CODE"],
  ["LOGIN", "ja", "Login: CODE"],
  ["LOGIN", undefined, "Login: CODE"],
  ["SIGNUP", "de-AT", "Allgemein: CODE"],
  ["PASSWORD_RESET", "fr", "En général : CODE"],
  ["SIGNUP", "ja", "Last resort: CODE"],
  ["SIGNUP", "*", "Last resort: CODE"],
] as const)("a %s code for a client that accepts %s: %s", async ([purpose, language, text], { textOf }) => {
  expect(await textOf(purpose, language)).toBe(text);
});

test("a reset is written in the language of its request", async ({ service, client, gateway, textOf }) => {
  await textOf("LOGIN");
  const { phone } = await signUp(service);
  const [answer, sms] = await Promise.all([
    client.post("/auth/reset-password", { phone }, { "accept-language": "fr-CA, de" }),
    gateway.next(phone),
  ]);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("vary")).toBeNull();
  expect(sms.body).toMatch(/^En général : [0-9]{6}$/);
});

test("a text is chosen when it is sent: a change applies to a request that waits", async ({ startOtherService }) => {
  const { client, database, set } = await startOtherService({ worker: false });
  await client.post("/auth/reset-password", { phone: newPhone() }, { "accept-language": "de, en-GB" });
  expect(await database.query("select languages from platform.otp_transaction")).toEqual([
    { languages: ["de", "en-GB"] },
  ]);
  await set("OTP_PROVIDER", {
    providerToUse: "console",
    template: "{{code}}",
    templates: { default: { en: "New: {{code}}" } },
  });
  const [message] = await database.query<{ body: string }>(
    `select (private.write_message(o, '123456', null)).body from platform.otp_transaction o`,
  );
  expect(message?.body).toBe("New: 123456");
});

test("a GraphQL client sees neither languages nor text", async ({ service }) => {
  const [row] = await service.database.query<{ readable: boolean }>(
    `select bool_or(has_column_privilege(r.rolname, 'platform.otp_transaction', c.name, 'select')) as readable
     from pg_roles r, unnest(array['languages', 'autofill']) c (name)
     where r.rolname in ('latchkey_guest', 'latchkey_user', 'latchkey_admin', 'latchkey_server', 'latchkey_worker')`,
  );
  expect(row?.readable).toBe(false);
});
