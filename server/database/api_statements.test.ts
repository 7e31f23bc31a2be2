import { randomUUID } from "node:crypto";
import pg from "pg";
import { expect } from "vitest";
import { serverConfig } from "../../config/config.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import { parseAnswer, type Answer, type Session } from "./api_answers.ts";
import { api } from "./api_functions.ts";
import { columnOf, toStatements } from "./api_statements.ts";

const { call, batch } = toStatements("refresh_session", api.refresh_session.args);
const openSession = toStatements("create_guest_session", api.create_guest_session.args).call;

const test = baseTest
  .extend("server", { scope: "file" }, async ({ database }, { onCleanup }) => {
    const server = new pg.Client({ connectionString: serverConfig(database.env).SERVER_DATABASE_URL });
    onCleanup(() => server.end());
    await server.connect();
    // The role has a lock_timeout: without this line a test passed even if the statement set none.
    await server.query("set lock_timeout = 0");
    return server;
  })
  .extend("ask", ({ server }) => async (text: string, values: unknown[]): Promise<Answer<Session>[]> => {
    const { rows } = await server.query<{ answer: unknown }>(text, values);
    return rows.map(({ answer }) => parseAnswer(api.refresh_session, answer));
  })
  .extend("open", ({ ask }) => async (): Promise<Session> => {
    const [answer] = await ask(openSession, ["192.0.2.1", null]);
    return answer!.data!;
  })
  .extend(
    "refresh",
    ({ ask }) =>
      (tokens: Pick<Session, "session_id" | "refresh_token_id">[]) =>
        ask(batch, [
          tokens.map((token) => token.session_id),
          tokens.map((token) => token.refresh_token_id),
          tokens.map(() => "192.0.2.1"),
          tokens.map(() => null),
        ]),
  );

test("one statement answers each of many calls, in their order", async ({ open, refresh }) => {
  const [first, second] = [await open(), await open()];
  const stranger = { session_id: randomUUID(), refresh_token_id: randomUUID() };
  const answers = await refresh([second, stranger, first]);
  expect(answers).toMatchObject([
    { data: { session_id: second.session_id } },
    { error: { code: "SESSION_NOT_FOUND" } },
    { data: { session_id: first.session_id } },
  ]);
});

test("calls about the same row see what those before them did", async ({ open, refresh }) => {
  const newSession = await open();
  const [rotated, repeated] = await refresh([newSession, newSession]);
  expect(rotated?.data?.refresh_token_id).not.toBe(newSession.refresh_token_id);
  // The second call is within the grace of the token that the first replaced, as if they had come one after the other.
  expect(repeated).toEqual(rotated);
});

test("a session whose theft one call of a batch detects is revoked, and stays so", async ({ ask, open, refresh }) => {
  const newSession = await open();
  const thief = { ...newSession, refresh_token_id: randomUUID() };
  expect(await refresh([thief, await open()])).toMatchObject([{ error: { code: "SESSION_REVOKED" } }, { error: null }]);
  const [after] = await ask(call, [newSession.session_id, newSession.refresh_token_id, "192.0.2.1", null]);
  expect(after).toMatchObject({ error: { code: "SESSION_REVOKED" } });
});

test("a batch does not wait long for a locked row, and changes nothing", async ({ database, open, refresh }) => {
  const [held, free] = [await open(), await open()];
  const holder = new pg.Client({ connectionString: database.superuserUrl });
  await holder.connect();
  await holder.query("begin");
  await holder.query(`select from "user".session where id = $1 for update`, [held.session_id]);
  await expect(refresh([free, held])).rejects.toMatchObject({ code: "55P03" });
  await holder.end();
  expect(await refresh([free])).toMatchObject([{ error: null }]);
});

test("a lock_timeout ends with its statement, so that behind a pooler no other client gets it", async ({
  server,
  open,
  refresh,
}) => {
  await refresh([await open()]);
  expect((await server.query("show lock_timeout")).rows).toEqual([{ lock_timeout: "0" }]);
});

test("an argument that is an array stays an array for each call", async ({ database, server }) => {
  const { batch: sends } = toStatements("send_otp", api.send_otp.args);
  const languages = [[], ["de", "en-GB"], ["fr"]];
  const codeKey = Buffer.alloc(32);
  const calls = languages.map((accepted, index) => ({
    identifier: `+1212555012${index}`,
    identifier_type: "PHONE",
    purpose: "LOGIN",
    client: "192.0.2.1",
    code_key: codeKey,
    country: "US",
    number_type: "MOBILE",
    languages: accepted,
  }));
  const columns = Object.keys(api.send_otp.args).map((name) =>
    columnOf(calls.map((values) => (values as Record<string, unknown>)[name] ?? null)),
  );
  await server.query(sends, columns);
  expect(await database.query("select languages from platform.otp_transaction order by identifier")).toEqual(
    languages.map((accepted) => ({ languages: accepted })),
  );
});
