import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serverConfig } from "../../config/config.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/test_database.ts";
import { parseAnswer, session, type Answer, type Session } from "./api_answers.ts";
import { api } from "./api_functions.ts";
import { columnOf, toStatements } from "./api_statements.ts";

const { call, batch } = toStatements("refresh_session", api.refresh_session.args);
const openSession = toStatements("create_guest_session", api.create_guest_session.args).call;

let database: TestDatabase;
let client: pg.Client;
let sessions: [Session, Session];
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: serverConfig(database.env).SERVER_DATABASE_URL });
  await client.connect();
  // Else the role's own would do for the statement's.
  await client.query("set lock_timeout = 0");
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const ask = async (text: string, values: unknown[]): Promise<Answer<Session>[]> =>
  (await client.query<{ answer: unknown }>(text, values)).rows.map(({ answer }) =>
    parseAnswer(session, answer),
  );
const refresh = (tokens: Pick<Session, "session_id" | "refresh_token_id">[]) =>
  ask(batch, [
    tokens.map((token) => token.session_id),
    tokens.map((token) => token.refresh_token_id),
    ...[tokens.map(() => "192.0.2.1"), tokens.map(() => null)],
  ]);
async function open(): Promise<Session> {
  const [answer] = await ask(openSession, ["192.0.2.1", null]);
  return answer!.data!;
}
beforeAll(async () => {
  sessions = [await open(), await open()];
});

test("one statement answers each of many calls, in their order", async () => {
  const [first, second] = sessions;
  const stranger = { session_id: randomUUID(), refresh_token_id: randomUUID() };
  const answers = await refresh([second, stranger, first]);
  expect(answers).toMatchObject([
    { data: { session_id: second.session_id } },
    { error: { code: "SESSION_NOT_FOUND" } },
    { data: { session_id: first.session_id } },
  ]);
});

test("calls about the same row see what those before them did", async () => {
  const opened = await open();
  const [rotated, repeated] = await refresh([opened, opened]);
  expect(rotated?.data?.refresh_token_id).not.toBe(opened.refresh_token_id);
  // The grace of a token that was just replaced, as if one had come after the other.
  expect(repeated).toEqual(rotated);
});

test("a theft that one of them tells is revoked, and stays so", async () => {
  const opened = await open();
  const thief = { ...opened, refresh_token_id: randomUUID() };
  expect(await refresh([thief, await open()])).toMatchObject([
    { error: { code: "SESSION_REVOKED" } },
    { error: null },
  ]);
  const [after] = await ask(call, [opened.session_id, opened.refresh_token_id, "192.0.2.1", null]);
  expect(after).toMatchObject({ error: { code: "SESSION_REVOKED" } });
});

test("it does not wait long for a row that somebody holds, and changes nothing", async () => {
  const [held, free] = [await open(), await open()];
  const holder = new pg.Client({ connectionString: database.superuserUrl });
  await holder.connect();
  await holder.query("begin");
  await holder.query(`select from "user".session where id = $1 for update`, [held.session_id]);
  await expect(refresh([free, held])).rejects.toMatchObject({ code: "55P03" });
  await holder.end();
  expect(await refresh([free])).toMatchObject([{ error: null }]);
});

test("what it sets is gone with it, so that behind a pooler nobody else meets it", async () => {
  await refresh(sessions);
  expect((await client.query("show lock_timeout")).rows).toEqual([{ lock_timeout: "0" }]);
});

test("an argument that is an array stays one for each call", async () => {
  const { batch: sends } = toStatements("send_otp", api.send_otp.args);
  const languages = [[], ["de", "en-GB"], ["fr"]];
  const codeKey = Buffer.alloc(32);
  const calls = languages.map((accepted, index) => ({
    ...{ identifier: `+1212555012${index}`, identifier_type: "PHONE", purpose: "LOGIN", client: "192.0.2.1" },
    ...{ code_key: codeKey, country: "US", languages: accepted },
  }));
  const columns = Object.keys(api.send_otp.args).map((name) =>
    columnOf(calls.map((values) => (values as Record<string, unknown>)[name] ?? null)),
  );
  await client.query(sends, columns);
  expect(await database.query("select languages from platform.otp_transaction order by identifier")).toEqual(
    languages.map((accepted) => ({ languages: accepted })),
  );
});
