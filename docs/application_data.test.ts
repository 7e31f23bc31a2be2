import pg from "pg";
import { expect } from "vitest";
import { migratorConfig } from "../config/config.ts";
import { beginSql } from "../graphql/engine/execution/statements.ts";
import { test as baseTest } from "../db/fixtures/database_fixtures.ts";
import { documentBlocks } from "../testing/documents/document_blocks.ts";

const document = "docs/application-data.md";
const application = "latchkey_documented_application";

interface Session {
  id: string;
  user_id: string;
}

/** The statements of the document, run by the migrator, and two users who are signed in. */
const test = baseTest.extend("sessions", { scope: "file" }, async ({ database }, { onCleanup }) => {
  await database.query(`create role ${application} login password 'application'`);
  const migrator = new pg.Client({ connectionString: migratorConfig(database.env).DATABASE_URL });
  onCleanup(async () => {
    await migrator.end();
    await database.query(`drop owned by ${application}; drop role ${application}`);
  });
  // A failed statement ends the test, and the database is then dropped before the connection has ended.
  migrator.on("error", () => undefined);
  await migrator.connect();
  const blocks = documentBlocks(document, "Your own data", "sql").filter((block) => !block.includes("…"));
  expect(blocks).toHaveLength(8);
  for (const block of blocks)
    await migrator.query(
      block.replaceAll("my_app", application).replaceAll("database latchkey", `database ${database.name}`),
    );
  await database.query(
    `insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '+22997000001', now()), (private.new_id(), '+22997000002', now());
     insert into "user".session (user_id) select a.id from "user".account a`,
  );
  const [alice, bob] = await database.query<Session>('select s.id, s.user_id from "user".session s order by s.id');
  return { alice: alice!, bob: bob! };
});

test("a user has the notes that the document's policies give it, until it logs out", async ({
  sessions: { alice, bob },
  connect,
  database,
}) => {
  const client = await connect();
  const notesOf = async ({ id, user_id: userId }: Session) => {
    await client.query("set session authorization latchkey_graphql");
    await client.query(
      beginSql({ role: "latchkey_user", "latchkey.session_id": id, "latchkey.user_id": userId }, false),
    );
    const { rows: notes } = await client.query("select text from public.note");
    await client.query("rollback");
    return notes as unknown[];
  };
  await database.query("insert into public.note (user_id, text) values ($1, 'mine')", [alice.user_id]);
  expect(await notesOf(alice)).toEqual([{ text: "mine" }]);
  expect(await notesOf(bob)).toEqual([]);
  await database.query('update "user".session set revoked_at = clock_timestamp() where id = $1', [alice.id]);
  expect(await notesOf(alice)).toEqual([]);
});

test("the document's hooks do what it says", async ({ sessions, database }) => {
  const id = sessions.bob.user_id;
  await database.query("insert into public.member values ($1, 'pro', array['editor'])", [id]);
  expect(await database.query("select private.hook_claims($1, $1) as claims", [id])).toEqual([
    { claims: { plan: "pro", roles: ["editor"] } },
  ]);
  expect(await database.query("select private.hook_claims(null, $1) as claims", [id])).toEqual([{ claims: null }]);
  const refusal = "select details ->> 'hookReason' as reason from private.before_register($1, '192.0.2.1')";
  expect(await database.query(refusal, ["+12025550101"])).toEqual([{ reason: "Only phones of Benin can register." }]);
  expect(await database.query(refusal, ["+22997123456"])).toEqual([{ reason: null }]);
  await database.query(
    "insert into public.cart values ($1); ".replace("$1", `'${id}'`) + `insert into public.invoice values ('${id}', 5)`,
  );
  const [guest] = await database.query<{ id: string }>(
    'insert into "user".session (user_id) values (null) returning id',
  );
  await database.query("update public.cart set owner_id = $1", [guest!.id]);
  await database.query("select private.promote_guest($1, $2)", [guest!.id, id]);
  expect(await database.query("select owner_id from public.cart")).toEqual([{ owner_id: id }]);
  await database.query("select private.erase_account($1)", [id]);
  expect(await database.query("select user_id from public.invoice")).toEqual([{ user_id: null }]);
});
