import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serverConfig } from "../../config/config.ts";
import { makeDatabase, type TestDatabase } from "../../testing/test_database.ts";
import type { SessionAnswer } from "./api_functions.ts";
import { apiStatements } from "./api_statements.ts";

const { alone, together } = apiStatements.refresh_session;

let database: TestDatabase;
let client: pg.Client;
let sessions: [SessionAnswer, SessionAnswer];
beforeAll(async () => {
  database = await makeDatabase();
  client = new pg.Client({ connectionString: serverConfig(database.env).SERVER_DATABASE_URL });
  await client.connect();
  // Else the role's own would do for the statement's.
  await client.query("set lock_timeout = 0");
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const ask = async (text: string, values: unknown[]) =>
  (await client.query<{ answer: SessionAnswer }>(text, values)).rows.map(({ answer }) => answer);
const refresh = (tokens: Pick<SessionAnswer, "session_id" | "refresh_token_id">[]) =>
  ask(together, [tokens.map((token) => token.session_id), tokens.map((token) => token.refresh_token_id)]);
async function open(): Promise<SessionAnswer> {
  const [session] = (await ask(apiStatements.create_guest_session.alone, ["192.0.2.1"])) as [SessionAnswer];
  return session;
}
beforeAll(async () => {
  sessions = [await open(), await open()];
});

test("one statement answers each of many calls, in their order", async () => {
  const [first, second] = sessions;
  const stranger = { session_id: randomUUID(), refresh_token_id: randomUUID() };
  const answers = await refresh([second, stranger, first]);
  expect(answers).toMatchObject([
    { error: null, session_id: second.session_id },
    { error: { code: "SESSION_NOT_FOUND" } },
    { error: null, session_id: first.session_id },
  ]);
});

test("calls about the same row see what those before them did", async () => {
  const session = await open();
  const [rotated, repeated] = await refresh([session, session]);
  expect(rotated?.refresh_token_id).not.toBe(session.refresh_token_id);
  // The grace of a token that was just replaced, as if one had come after the other.
  expect(repeated).toEqual(rotated);
});

test("a theft that one of them tells is revoked, and stays so", async () => {
  const session = await open();
  const thief = { ...session, refresh_token_id: randomUUID() };
  expect(await refresh([thief, await open()])).toMatchObject([
    { error: { code: "SESSION_REVOKED" } },
    { error: null },
  ]);
  const [after] = await ask(alone, [session.session_id, session.refresh_token_id]);
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
