import { expect } from "vitest";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";
import { raceBehindLock } from "../../testing/postgres/lock_race.ts";
import { goodPassword, newPhone, signUp } from "../../testing/service/people.ts";
import { codesOf, count, serverCount, test } from "../fixtures/race_fixtures.ts";

test("of 20 parallel right codes one opens a session", async ({ service, client, gateway, database, parallel }) => {
  const { phone } = await signUp(service);
  const [, otp] = await Promise.all([client.sendOtp(phone, "LOGIN"), gateway.nextCode(phone)]);
  const answers = await raceBehindLock(database, codesOf(phone), serverCount, () =>
    parallel(20, (server, headers) => server.post("/auth/login/otp", { phone, otp }, headers)),
  );
  expect(count(answers, 200)).toBe(1);
  expect(count(answers, "OTP_ALREADY_USED")).toBe(19);
});

test("codes of many phones from few addresses, over several servers at once, all sign in", async ({
  service,
  client,
  gateway,
  database,
  parallel,
}) => {
  // Forty-eight SMS at once take long on a busy machine.
  await service.set("OTP_SEND_TIMEOUT_SECONDS", 60);
  const phones = Array.from({ length: 48 }, newPhone);
  await database.query(
    `insert into "user".account (id, phone, phone_verified_at) select private.new_id(), unnest($1::text[]), now()`,
    [phones],
  );
  const codes = await Promise.all(
    phones.map(async (phone, index) => {
      const from = { "x-forwarded-for": `10.2.0.${index}` };
      const [, otp] = await Promise.all([client.sendOtp(phone, "LOGIN", from), gateway.nextCode(phone)]);
      return { phone, otp };
    }),
  );
  // Two batches whose phones are in order lock the rows of their addresses in different orders.
  const answers = await parallel(phones.length, (server, _headers, index) =>
    server.post("/auth/login/otp", codes[index], { "x-forwarded-for": `10.3.0.${(index * 7) % 5}` }),
  );
  expect(count(answers, 200)).toBe(phones.length);
});

test("no login with the old password outlives a change of password at the same time", async ({
  service,
  client,
  database,
  parallel,
  newUser,
}) => {
  await service.set("PASSWORD_HASH_COST", 8);
  const user = await newUser();
  const body = { currentPassword: goodPassword, newPassword: "another correct horse" };
  const [changed, logins] = await Promise.all([
    client.post("/auth/password", body, bearer(user.access_token)),
    parallel(20, (server, headers) =>
      server.post("/auth/login", { phone: user.phone, password: user.password }, headers),
    ),
  ]);
  expect(changed.status).toBe(200);
  for (const login of logins)
    if (login.status === 200)
      expect((await client.refresh(tokensOf(login).refresh_token)).code).toBe("SESSION_REVOKED");
  const live = await database.query(
    `select s.id from "user".session s join "user".account a on a.id = s.user_id where a.phone = $1 and s.revoked_at is null`,
    [user.phone],
  );
  expect(live).toEqual([{ id: user.session_id }]);
});

test("of parallel changes of password with the same old one, one is done", async ({ parallel, newUser }) => {
  const user = await newUser();
  const answers = await parallel(8, (server, headers, index) =>
    server.post(
      "/auth/password",
      { currentPassword: goodPassword, newPassword: `another correct horse ${index}` },
      { ...bearer(user.access_token), ...headers },
    ),
  );
  expect(count(answers, 200)).toBe(1);
  expect(count(answers, 401)).toBe(7);
});
