import { expect } from "vitest";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";
import { blockedConnections, raceBehindLock } from "../../testing/postgres/lock_race.ts";
import { clearRateLimits, goodPassword, newPhone } from "../../testing/service/people.ts";
import { verifyPhone } from "../fixtures/phone_change_fixtures.ts";
import { codesOf, test as baseTest } from "../fixtures/race_fixtures.ts";

const accountOf = (phone: string) => ({
  text: `select from "user".account where phone = $1 for update`,
  values: [phone],
});
const test = baseTest.extend(
  "changeCode",
  ({ client, gateway }) =>
    async ({ access_token }: { access_token: string }, newPhone: string) => {
      const body = { newPhone, password: goodPassword };
      const [, otp] = await Promise.all([
        client.post("/auth/phone", body, bearer(access_token)),
        gateway.nextCode(newPhone),
      ]);
      return otp;
    },
);

test("of several accounts that change to one number at once, one gets it", async ({
  database,
  parallel,
  newUser,
  changeCode,
}) => {
  const phone = newPhone();
  const users = [await newUser(), await newUser(), await newUser()];
  const codes: string[] = [];
  for (const user of users) codes.push(await changeCode(user, phone));
  await database.query(
    "insert into private.verification_state (identifier_type, identifier) values ('PHONE', $1) on conflict do nothing",
    [phone],
  );
  const answers = await raceBehindLock(database, codesOf(phone), users.length, () =>
    parallel(3, (server, headers, index) => verifyPhone(server, users[index]!, phone, codes[index]!, headers)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const rows = await database.query(`select from "user".account where phone = $1`, [phone]);
  expect(rows).toHaveLength(1);
});

test("two accounts that change to each other's phones at once are both refused, without a deadlock", async ({
  service,
  database,
  newUser,
}) => {
  const [one, other] = [await newUser(), await newUser()];
  for (const { phone } of [one, other]) await clearRateLimits(service, phone);
  // By SQL, because the server retries what deadlocked.
  const change = async ({ session_id }: typeof one, phone: string) => {
    const [row] = await database.query<{ reason: string }>(
      `select (private.replace_phone(s.id, s.user_id, $2, null, '{}', '192.0.2.1')).details ->> 'reason' as reason
       from "user".session s where s.id = $1`,
      [session_id, phone],
    );
    return row?.reason;
  };
  // The second change holds its first lock when the first one continues.
  const reasons = await raceBehindLock(database, accountOf(one.phone), 2, async () => {
    const first = change(one, other.phone);
    await blockedConnections(database, 1);
    return Promise.all([first, change(other, one.phone)]);
  });
  expect(reasons).toEqual(["already_registered", "already_registered"]);
});

test("a phone that is imported while it is verified has one account, and the verification answers already_registered", async ({
  client,
  gateway,
  database,
  newUser,
  changeCode,
}) => {
  const importOf = (phone: string) => ({
    text: `select private.import_user(row($1, null, null, null, null, sha256(convert_to($1, 'UTF8')), null, null)::private.imported_user, null)`,
    values: [phone],
  });
  const registered = newPhone();
  await client.post("/auth/register", { phone: registered, password: goodPassword });
  const [, otp] = await Promise.all([client.sendOtp(registered), gateway.nextCode(registered)]);
  const person = await newUser();
  const wanted = newPhone();
  const changeOtp = await changeCode(person, wanted);
  const answers = [
    await raceBehindLock(database, importOf(registered), 1, () =>
      client.post("/auth/register/verify", { phone: registered, otp }),
    ),
    await raceBehindLock(database, importOf(wanted), 1, () => verifyPhone(client, person, wanted, changeOtp)),
  ];
  for (const answer of answers)
    expect(answer).toMatchObject({
      status: 409,
      body: { error: { details: { reason: "already_registered" } } },
    });
  const used = await database.query(
    "select purpose from platform.otp_transaction where identifier in ($1, $2) and verified_at is not null order by 1",
    [registered, wanted],
  );
  expect(used, "both codes are used up").toEqual([{ purpose: "PHONE_CHANGE" }, { purpose: "SIGNUP" }]);
  expect((await client.post("/auth/login", person)).status, "the other account keeps its phone").toBe(200);
});

const isCreated = ({ body }: { body: { data?: Record<string, unknown> | undefined } }): boolean =>
  body.data?.created === true;

test("no login to the old phone, by password or by code, outlives a change of phone at the same time", async ({
  client,
  gateway,
  database,
  parallel,
  newUser,
  changeCode,
}) => {
  const user = await newUser();
  const phone = newPhone();
  const [, loginCode] = await Promise.all([client.sendOtp(user.phone, "LOGIN"), gateway.nextCode(user.phone)]);
  const otp = await changeCode(user, phone);
  // The change waits first; the logins have found the account by then, and wait behind it.
  let change: Promise<unknown> = Promise.resolve();
  const logins = await raceBehindLock(database, accountOf(user.phone), 3, async () => {
    change = verifyPhone(client, user, phone, otp);
    return parallel(8, (server, headers, index) =>
      index % 2 === 0
        ? server.post("/auth/login", { phone: user.phone, password: user.password }, headers)
        : server.post("/auth/login/otp", { phone: user.phone, otp: loginCode }, headers),
    );
  });
  expect(await change).toMatchObject({ status: 200 });
  // A code that comes after the change opens a new account for the phone that the old one has left: its session is
  // nobody else's.
  const [created, others] = [logins.filter(isCreated), logins.filter((login) => !isCreated(login))];
  expect(created.length, "the code is good once").toBeLessThanOrEqual(1);
  for (const login of others)
    if (login.status === 200)
      expect((await client.refresh(tokensOf(login).refresh_token)).code).toBe("SESSION_REVOKED");
  const live = await database.query(
    `select s.id from "user".session s join "user".account a on a.id = s.user_id where a.phone = $1 and s.revoked_at is null`,
    [phone],
  );
  expect(live, "the session that changed the phone").toEqual([{ id: user.session_id }]);
});
