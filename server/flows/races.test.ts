import { decodeJwt } from "jose";
import { expect } from "vitest";
import { tokensOf, type Answer, type Client } from "../../testing/client.ts";
import { requestPasswordReset, goodPassword, logIn, newPhone, signUp } from "../../testing/people.ts";
import { eventually } from "../../testing/eventually.ts";
import { raceBehindLock } from "../../testing/lock_race.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import type { RunningServer } from "../../testing/service.ts";

// Each race runs over several servers, so that only the database can decide it: one server sends only one call about a row to
// the database at a time.
const serverCount = 4;
const test = baseTest
  .extend("clients", { scope: "file" }, async ({ service, database }, { onCleanup }) => {
    // No call may time out while the test waits until calls of all servers are blocked by a lock.
    await database.query(`alter role latchkey_server in database ${database.name} set lock_timeout = '60s'`);
    const servers: RunningServer[] = [];
    onCleanup(async () => {
      for (const server of servers) await server.stop();
    });
    while (servers.length < serverCount - 1) servers.push(await service.startAnotherServer());
    return [service, ...servers].map(({ client }) => client);
  })
  /** Starts `times` calls at once, spread over all servers, each with a client address of its own. */
  .extend("parallel", ({ clients }) => (times: number, call: Call) => {
    const calls = Array.from({ length: times }, (_, index) =>
      call(clients[index % serverCount]!, { "x-forwarded-for": `10.0.${index >> 8}.${index & 255}` }, index),
    );
    return Promise.all(calls);
  })
  /** Registers a phone and returns the code that was sent to it. */
  .extend("register", ({ client, gateway }) => async (phone: string): Promise<string> => {
    await client.post("/auth/register", { phone, password: goodPassword });
    const [, otp] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
    return otp;
  });

type Call = (client: Client, headers: Record<string, string>, index: number) => Promise<Answer>;

const count = (answers: Answer[], what: string | number) =>
  answers.filter(({ code, status }) => code === what || status === what).length;
const wrong = (otp: string) => (otp === "000000" ? "000001" : "000000");

const currentOtp = (phone: string) => ({
  text: "select from platform.otp_transaction where identifier = $1 for update",
  values: [phone],
});

test("50 parallel guesses use up five attempts and not one more", async ({
  register,
  database,
  service,
  parallel,
}) => {
  const phone = newPhone();
  const otp = await register(phone);
  const answers = await raceBehindLock(database, currentOtp(phone), serverCount, () =>
    parallel(50, (client, headers) =>
      client.post("/auth/register/verify", { phone, otp: wrong(otp) }, headers),
    ),
  );
  expect(count(answers, "INVALID_OTP")).toBe(5);
  expect(count(answers, "MAX_ATTEMPTS_REACHED")).toBe(45);
  expect((await service.client.post("/auth/register/verify", { phone, otp })).code).toBe(
    "MAX_ATTEMPTS_REACHED",
  );
  const [row] = await database.query<{ attempts: number }>(
    "select attempts from platform.otp_transaction where identifier = $1",
    [phone],
  );
  expect(row?.attempts).toBe(5);
  const counted = await database.query(
    "select from platform.rate_limit where starts_with(key, 'OTP_VERIFY_LIMIT:' || $1) and hits <> '{}'",
    [phone],
  );
  expect(counted.length, "guesses at a blocked code count against no limit").toBe(5);
});

test("guesses whose connections die in the middle count for nothing, and leave nothing half done", async ({
  register,
  database,
  service,
  parallel,
}) => {
  const phone = newPhone();
  const otp = await register(phone);
  const guesses = () =>
    parallel(6, (client, headers, index) =>
      client.post("/auth/register/verify", { phone, otp: index ? wrong(otp) : otp }, headers),
    );
  const waiting = `from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and application_name = 'latchkey server locked'`;
  const terminateBackends = async () => {
    // A call that meets a locked row fails within 10 ms and is retried on these connections, where it waits.
    await eventually("a call of every server waits for the lock", async () => {
      return (await database.query(`select ${waiting}`)).length === serverCount;
    });
    await database.query(`select pg_terminate_backend(pid) ${waiting}`);
  };
  const answers = await raceBehindLock(database, currentOtp(phone), serverCount, guesses, terminateBackends);
  expect(count(answers, "SERVICE_UNAVAILABLE")).toBe(6);
  const rows = await database.query(
    "select attempts, verified_at from platform.otp_transaction where identifier = $1",
    [phone],
  );
  expect(rows).toEqual([{ attempts: 0, verified_at: null }]);
  expect((await service.client.post("/auth/register/verify", { phone, otp })).status).toBe(200);
});

test("of 20 parallel right codes one opens a session", async ({ register, database, parallel }) => {
  const phone = newPhone();
  const otp = await register(phone);
  const answers = await raceBehindLock(database, currentOtp(phone), serverCount, () =>
    parallel(20, (client, headers) => client.post("/auth/register/verify", { phone, otp }, headers)),
  );
  expect(count(answers, 200)).toBe(1);
  expect(count(answers, "OTP_ALREADY_USED")).toBe(19);
});

test("of 50 parallel sends to one phone three are let through", async ({ parallel }) => {
  const phone = newPhone();
  const answers = await parallel(50, (client, headers) => client.sendOtp(phone, "SIGNUP", headers));
  expect(count(answers, 200)).toBe(3);
  expect(count(answers, "RATE_LIMIT_EXCEEDED")).toBe(47);
});

test("of 50 parallel sends by one client ten are let through", async ({ service, parallel }) => {
  await service.set("OTP_SEND_PER_IP", "10/3600");
  // Ten SMS at once take long on a busy machine.
  await service.set("OTP_SEND_TIMEOUT_SECONDS", 60);
  const headers = { "x-forwarded-for": "10.9.9.9" };
  const answers = await parallel(50, (client) => client.sendOtp(newPhone(), "SIGNUP", headers));
  expect(count(answers, 200)).toBe(10);
  expect(count(answers, "RATE_LIMIT_EXCEEDED")).toBe(40);
  await service.set("OTP_SEND_PER_IP", "1000/1");
});

test("parallel refreshes all get working tokens of the same session, by one rotation", async ({
  service,
  database,
  parallel,
}) => {
  const { refresh_token, session_id } = await logIn(service, await signUp(service));
  const session = { text: `select from "user".session where id = $1 for update`, values: [session_id] };
  const answers = await raceBehindLock(database, session, serverCount, () =>
    parallel(4, (client) => client.refresh(refresh_token)),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(new Set(answers.map((answer) => idOf(tokensOf(answer).refresh_token))).size).toBe(1);
  for (const answer of answers) {
    expect(tokensOf(answer).session_id).toBe(session_id);
    expect((await service.client.refresh(tokensOf(answer).refresh_token)).status).toBe(200);
  }
});

const idOf = (token: string): unknown => decodeJwt(token).jti;

test("no login with the old password outlives a reset beside it, and the new password stands", async ({
  service,
  client,
  database,
  parallel,
}) => {
  // A slower hash, so that many logins are in the middle of it when the reset commits.
  await service.set("PASSWORD_HASH_COST", 8);
  await service.set("LOGIN_FAILURES_PER_PHONE", "off");
  const person = await signUp(service);
  const otp = await requestPasswordReset(service, person.phone);
  const newPassword = "the password after the reset";

  const [reset, logins] = await Promise.all([
    client.post("/auth/reset-password/verify", { phone: person.phone, otp, newPassword }),
    parallel(30, (server, _headers, index) =>
      server.post("/auth/login", person, { "x-forwarded-for": `10.1.0.${index}` }),
    ),
  ]);
  expect(reset.status).toBe(200);
  for (const login of logins) {
    expect([200, 401, 503]).toContain(login.status);
    if (login.status === 200)
      expect((await client.refresh(tokensOf(login).refresh_token)).code).toBe("SESSION_REVOKED");
  }
  const live = await database.query(
    `select from "user".session s join "user".account a on a.id = s.user_id where a.phone = $1 and s.revoked_at is null`,
    [person.phone],
  );
  expect(live).toEqual([]);
  expect((await client.post("/auth/login", person)).status).toBe(401);
  expect((await client.post("/auth/login", { phone: person.phone, password: newPassword })).status).toBe(200);
  await service.set("PASSWORD_HASH_COST", 4);
});

test("40 parallel wrong passwords learn no more than ten verdicts", async ({ service, parallel }) => {
  const { phone } = await signUp(service);
  const headers = (index: number) => ({ "x-forwarded-for": index % 2 ? "10.2.0.1" : "::ffff:10.2.0.1" });
  const answers: Answer[] = [];
  // Four at once, since more of one client are turned away before they reach the database.
  for (let round = 0; round < 10; round++) {
    answers.push(
      ...(await parallel(4, (client, _own, index) =>
        client.post("/auth/login", { phone, password: `guess ${index}` }, headers(index)),
      )),
    );
  }
  expect(count(answers, 401)).toBe(10);
  expect(count(answers, "RATE_LIMIT_EXCEEDED")).toBe(30);
});
