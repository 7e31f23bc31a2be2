import { expect } from "vitest";
import { bearer, type Client } from "../../testing/service/rest_client.ts";
import { goodPassword, newPhone, requestPasswordReset, type Person } from "../../testing/service/people.ts";
import type { Service } from "../../testing/service/service.ts";
import type { SmsGateway } from "../../testing/network/sms_gateway.ts";
import { eventually } from "../../testing/eventually.ts";
import { raceBehindLock } from "../../testing/postgres/lock_race.ts";
import { otherCode } from "../../testing/service/other_code.ts";
import { count, serverCount, test as baseTest } from "../fixtures/race_fixtures.ts";

/** Registers a phone and returns the code that was sent to it. */
const test = baseTest.extend("register", ({ client, gateway }) => async (phone: string): Promise<string> => {
  await client.post("/auth/register", { phone, password: goodPassword });
  const [, otp] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
  return otp;
});

// Many SMS at once take long on a busy machine.
test.beforeAll(({ service }) => service.set("OTP_SEND_TIMEOUT_SECONDS", 60));

const currentOtp = (phone: string) => ({
  text: "select from platform.otp_transaction where identifier = $1 for update",
  values: [phone],
});

test("50 parallel guesses use up five attempts and not one more", async ({ register, database, service, parallel }) => {
  const phone = newPhone();
  const otp = await register(phone);
  const answers = await raceBehindLock(database, currentOtp(phone), serverCount, () =>
    parallel(50, (client, headers) => client.post("/auth/register/verify", { phone, otp: otherCode(otp) }, headers)),
  );
  expect(count(answers, "INVALID_OTP")).toBe(5);
  expect(count(answers, "MAX_ATTEMPTS_REACHED")).toBe(45);
  expect((await service.client.post("/auth/register/verify", { phone, otp })).code).toBe("MAX_ATTEMPTS_REACHED");
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

test("guesses whose connections are lost midway are not counted, and are rolled back as a whole", async ({
  register,
  database,
  service,
  parallel,
}) => {
  const phone = newPhone();
  const otp = await register(phone);
  const guesses = () =>
    parallel(6, (client, headers, index) =>
      client.post("/auth/register/verify", { phone, otp: index ? otherCode(otp) : otp }, headers),
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

interface RaceContext {
  service: Service;
  client: Client;
  gateway: SmsGateway;
  register: (phone: string) => Promise<string>;
  newUser: () => Promise<Person & { access_token: string }>;
}
interface Use {
  phone: string;
  otp: string;
  path: string;
  body: object;
  token?: string;
}

/** The uses of a code. Each creates a code and says how to use it. */
const uses: [string, (context: RaceContext) => Promise<Use>][] = [
  [
    "opens a session",
    async ({ register }) => {
      const phone = newPhone();
      return { phone, otp: await register(phone), path: "/auth/register/verify", body: { phone } };
    },
  ],
  [
    "sets a password",
    async ({ service, newUser }) => {
      const { phone } = await newUser();
      const otp = await requestPasswordReset(service, phone);
      const body = { phone, newPassword: "another fine password" };
      return { phone, otp, path: "/auth/reset-password/verify", body };
    },
  ],
  [
    "changes a phone",
    async ({ client, gateway, newUser }) => {
      const { access_token: token, password } = await newUser();
      const phone = newPhone();
      const body = { newPhone: phone };
      const [, otp] = await Promise.all([
        client.post("/auth/phone", { ...body, password }, bearer(token)),
        gateway.nextCode(phone),
      ]);
      return { phone, otp, path: "/auth/phone/verify", body, token };
    },
  ],
];

test.for(uses)(
  "of 20 parallel right codes one %s",
  async ([, prepare], { service, register, newUser, client, gateway, database, parallel }) => {
    const { phone, otp, path, body, token } = await prepare({ service, register, newUser, client, gateway });
    const answers = await raceBehindLock(database, currentOtp(phone), serverCount, () =>
      parallel(20, (each, headers) => each.post(path, { ...body, otp }, { ...headers, ...(token && bearer(token)) })),
    );
    expect(count(answers, 200)).toBe(1);
    expect(count(answers, "OTP_ALREADY_USED")).toBe(19);
  },
);

test("of 50 parallel sends to one phone three are allowed", async ({ parallel }) => {
  const phone = newPhone();
  const answers = await parallel(50, (client, headers) => client.sendOtp(phone, "SIGNUP", headers));
  expect(count(answers, 200)).toBe(3);
  expect(count(answers, "RATE_LIMIT_EXCEEDED")).toBe(47);
});

test("of 50 parallel sends by one client ten are allowed", async ({ service, parallel }) => {
  await service.set("OTP_SEND_PER_IP", "10/3600");
  const headers = { "x-forwarded-for": "10.9.9.9" };
  const answers = await parallel(50, (client) => client.sendOtp(newPhone(), "SIGNUP", headers));
  expect(count(answers, 200)).toBe(10);
  expect(count(answers, "RATE_LIMIT_EXCEEDED")).toBe(40);
  await service.set("OTP_SEND_PER_IP", "1000/1");
});
