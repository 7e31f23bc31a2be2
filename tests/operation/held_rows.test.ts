import pg from "pg";
import { expect, onTestFinished } from "vitest";
import type { Environment } from "../../config/environment.ts";
import { bearer, tokensOf, type Answer, type Client, type Tokens } from "../../testing/service/rest_client.ts";
import { eventually } from "../../testing/eventually.ts";
import { test } from "../../testing/fixtures.ts";
import { logIn, signUp } from "../../testing/service/people.ts";
import type { Service } from "../../testing/service/service.ts";

/**
 * Starts another server whose role has this lock_timeout and a long statement_timeout, and stops it when the test ends.
 */
async function serverWith(service: Service, lockTimeout: string, env: Environment = {}): Promise<Client> {
  const role = `alter role latchkey_server in database ${service.database.name}`;
  await service.database.query(`${role} set lock_timeout = '${lockTimeout}'; ${role} set statement_timeout = '60s'`);
  const server = await service.startAnotherServer(env);
  onTestFinished(() => server.stop());
  return server.client;
}

/** Locks rows in a transaction and returns a function that ends it. */
async function hold({ database }: Service, text: string, values: unknown[]): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: database.superuserUrl });
  await holder.connect();
  await holder.query("begin");
  await holder.query(text, values);
  return () => holder.end();
}
const holdSessions = (service: Service, sessions: Tokens[]) =>
  hold(service, `select from "user".session where id = any($1) for update`, [
    sessions.map(({ session_id }) => session_id),
  ]);

const waitingForLocks = async ({ database }: Service): Promise<string[]> => {
  const rows = await database.query<{ application_name: string }>(
    "select application_name from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.map(({ application_name }) => application_name);
};
const newGuest = async (client: Client) => tokensOf(await client.post("/auth/session/guest"));
const newGuests = (client: Client, count: number) => Promise.all(Array.from({ length: count }, () => newGuest(client)));
const logOut = (client: Client, { access_token }: Tokens) =>
  client.post("/auth/logout", undefined, bearer(access_token));

/** Other clients' requests must be answered while the rows are locked; otherwise this never resolves. */
async function othersAreAnswered(client: Client): Promise<void> {
  const [refreshed, leaving] = await newGuests(client, 2);
  // Its deadline of a second may be too short for a new connection on a busy machine.
  await eventually("the service is healthy", async () => (await client.get("/health")).status === 200);
  const answers = await Promise.all([
    client.refresh(refreshed!.refresh_token),
    logOut(client, leaving!),
    client.post("/auth/register/verify", { phone: "+12125550188", otp: "123456" }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
}

test("100 calls about a locked row use one connection, and other clients are answered meanwhile", async ({
  service,
}) => {
  const client = await serverWith(service, "60s");
  const session = await newGuest(client);
  const release = await holdSessions(service, [session]);
  const calls = Array.from({ length: 100 }, (_, index) =>
    index % 2 ? logOut(client, session) : client.refresh(session.refresh_token),
  );
  await eventually("a call waits for the row", async () => (await waitingForLocks(service)).length > 0);
  await othersAreAnswered(client);
  expect(await waitingForLocks(service)).toEqual(["latchkey server locked"]);
  await release();
  const answers = await Promise.all(calls);
  expect(answers.filter(({ status }) => status !== 200 && status !== 401)).toEqual([]);
  expect(answers.filter(({ status }) => status === 200)).not.toEqual([]);
});

test("calls about many locked rows do not delay other clients", async ({ service }) => {
  const client = await serverWith(service, "60s");
  const sessions = await newGuests(client, 30);
  const release = await holdSessions(service, sessions);
  const calls = sessions.flatMap((session) => [logOut(client, session), client.refresh(session.refresh_token)]);
  await eventually("four calls wait for locks", async () => (await waitingForLocks(service)).length >= 4);
  await othersAreAnswered(client);
  await release();
  expect((await Promise.all(calls)).filter(({ status }) => status !== 200 && status !== 401)).toEqual([]);
});

test("logins of a locked account use one connection of four", async ({ service }) => {
  const client = await serverWith(service, "60s");
  const [held, other] = [await signUp(service), await signUp(service)];
  const release = await hold(service, `select from "user".account where phone = $1 for update`, [held.phone]);
  const logins = Array.from({ length: 8 }, (_, index) =>
    client.post("/auth/login", held, { "x-forwarded-for": `192.0.2.${index}` }),
  );
  await eventually("a login waits", async () => (await waitingForLocks(service)).length > 0);
  expect(await logIn({ client }, other)).toHaveProperty("access_token");
  expect(await waitingForLocks(service)).toEqual(["latchkey server password"]);
  await release();
  expect((await Promise.all(logins)).map(({ status }) => status)).toEqual(Array(8).fill(200));
});

/** Others call the service all the time, so a login is not alone. */
function keepBusy(client: Client): () => Promise<void> {
  const state = { isOver: false };
  const stop = () => {
    state.isOver = true;
    return calls;
  };
  const calls = (async () => {
    while (!state.isOver) await newGuest(client);
  })();
  onTestFinished(stop);
  return stop;
}

test("of two password connections one is spare while others use the service: it takes a login only while the other one's login waits for a row", async ({
  service,
}) => {
  const client = await serverWith(service, "60s", { PASSWORD_POOL_SIZE: "2" });
  const [held, other] = [await signUp(service), await signUp(service)];
  const release = await hold(service, `select from "user".account where phone = $1 for update`, [held.phone]);
  await newGuest(client);
  const stopOthers = keepBusy(client);
  const began = performance.now();
  const login = client.post("/auth/login", held, { "x-forwarded-for": "192.0.2.1" });
  await eventually("a login waits", async () => (await waitingForLocks(service)).length > 0);
  expect(await logIn({ client }, other)).toHaveProperty("access_token");
  // After 400 ms the queue assumes that the first login waits for a lock and does not run bcrypt.
  expect(performance.now() - began).toBeGreaterThan(400);
  await stopOthers();
  await release();
  expect((await login).status).toBe(200);
});

test("a call about a row that is locked too long is answered 503 with Retry-After, and so are the calls queued behind it", async ({
  service,
}) => {
  const client = await serverWith(service, "200ms");
  const session = await newGuest(client);
  const release = await holdSessions(service, [session]);
  const answers: Answer[] = await Promise.all(Array.from({ length: 20 }, () => logOut(client, session)));
  expect(answers.map(({ code }) => code)).toEqual(Array(20).fill("SERVICE_UNAVAILABLE"));
  expect(answers.map(({ headers }) => headers.get("retry-after"))).toEqual(Array(20).fill("2"));
  await release();
  expect((await logOut(client, session)).status).toBe(200);
});
