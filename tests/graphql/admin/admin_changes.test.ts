import { createClient } from "graphql-ws";
import { expect } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "../../../testing/eventually.ts";
import { adminOf, askGraphql } from "../../../testing/graphql/graphql_client.ts";
import { test as baseTest } from "../../../testing/graphql/graphql_fixtures.ts";
import { collectLog } from "../../../testing/log_lines.ts";

const { log, lines } = collectLog();
const info = 30;
const gateway = "https://gateway.example.com/send?key=a-key-in-the-address";
const provider = (url: string) => ({
  providerToUse: "http",
  template: "{{code}} is your code.",
  http: { url },
  twilio: { from: "+12025550199" },
});

/** `change` sends a mutation as the admin, and returns its lines in the log. */
const test = baseTest
  .extend("serviceOptions", { scope: "file" }, () => ({ worker: false, log }))
  .extend("change", ({ service, admin }) => async (mutation: string, variables?: Record<string, unknown>) => {
    await service.client.get("/health");
    lines.splice(0);
    const answer = await admin(mutation, variables);
    return { answer, changes: lines.filter(({ msg }) => msg === "the admin changed data") };
  })
  .extend("accountId", async ({ admin }) => {
    const phone = `+1202555${String(++lastPhone).padStart(4, "0")}`;
    const { data } = await admin(`mutation { create_account(phone: "${phone}") { id } }`);
    return (data?.create_account as { id: string }).id;
  });
let lastPhone = 1000;

test("a setting's line has its key, its old and its new value", async ({ change }) => {
  const { changes } = await change(
    `mutation {
       first: update_settings_configuration_by_pk(pk_columns: { key: "OTP_LENGTH" }, _set: { value: 7 }) { key }
       second: insert_settings_configuration(objects: [{ key: "OTP_LENGTH", value: 8 }, { key: "OTP_SEND_PER_IP", value: "7/60" }],
         on_conflict: { constraint: configuration_pkey, update_columns: [value] }) { affected_rows }
       third: delete_settings_configuration_by_pk(key: "OTP_LENGTH") { key }
     }`,
  );
  const line = { level: info, actor: "admin", client: "127.0.0.1", requestId: expect.any(String) as string };
  expect(changes).toMatchObject([
    {
      ...line,
      action: "update_settings_configuration_by_pk",
      rows: 1,
      targets: ["OTP_LENGTH"],
      settings: [{ key: "OTP_LENGTH", old: 6, new: 7 }],
    },
    {
      action: "insert_settings_configuration",
      rows: 2,
      targets: ["OTP_LENGTH", "OTP_SEND_PER_IP"],
      settings: [
        { key: "OTP_LENGTH", old: 7, new: 8 },
        { key: "OTP_SEND_PER_IP", old: "1000/1", new: "7/60" },
      ],
    },
    {
      action: "delete_settings_configuration_by_pk",
      rows: 1,
      settings: [{ key: "OTP_LENGTH", old: 8, new: null }],
    },
  ]);
});

test("a provider's line names the host that messages go to, and no secret, phone or code", async ({ change }) => {
  const mutation =
    'mutation ($value: jsonb!) { update_settings_configuration_by_pk(pk_columns: { key: "OTP_PROVIDER" }, _set: { value: $value }) { key } }';
  const { changes } = await change(mutation, { value: provider(gateway) });
  expect(changes).toHaveLength(1);
  expect(changes[0]?.settings).toMatchObject([
    { key: "OTP_PROVIDER", new: { http: { url: "https://gateway.example.com/…" }, twilio: { from: "…99" } } },
  ]);
  await change(mutation, { value: provider("https://other.example.com") });
  const numbers = { "+12025550123": { code: "135790", until: "2030-01-01T00:00:00Z" } };
  const test = await change(
    'mutation ($value: jsonb!) { insert_settings_configuration_one(object: { key: "OTP_TEST_NUMBERS", value: $value }, on_conflict: { constraint: configuration_pkey, update_columns: [value] }) { key } }',
    { value: numbers },
  );
  expect(test.changes[0]?.settings).toEqual([{ key: "OTP_TEST_NUMBERS", old: "not logged", new: "not logged" }]);
  const text = JSON.stringify(lines);
  for (const secret of ["a-key-in-the-address", "12025550199", "12025550123", "135790"])
    expect(text).not.toContain(secret);
});

test.for<[string, string]>([
  ['mutation ($id: uuid!) { disable_account(id: $id, reason: "spam") { id } }', "disable_account"],
  ["mutation ($id: uuid!) { enable_account(id: $id) { id } }", "enable_account"],
  ["mutation ($id: uuid!) { revoke_sessions_of(user_id: $id) { id } }", "revoke_sessions_of"],
  ["mutation ($id: uuid!) { unlock_factors(user_id: $id) { id } }", "unlock_factors"],
  ["mutation ($id: uuid!) { remove_factors_of(user_id: $id) { id } }", "remove_factors_of"],
  [
    'mutation ($id: uuid!) { update_user_account_by_pk(pk_columns: { id: $id }, _set: { email: "a@example.org" }) { id } }',
    "update_user_account_by_pk",
  ],
  [
    'mutation ($id: uuid!) { update_user_account(where: { id: { _eq: $id } }, _set: { email: "a@example.org" }) { affected_rows } }',
    "update_user_account",
  ],
  ["mutation ($id: uuid!) { erase_account(id: $id) { id } }", "erase_account"],
  ["mutation ($id: uuid!) { delete_user_account_by_pk(id: $id) { id } }", "delete_user_account_by_pk"],
])("%s has one line, with the account's id", async ([mutation, action], { change, accountId }) => {
  const { answer, changes } = await change(mutation, { id: accountId });
  expect(answer.code).toBeUndefined();
  expect(changes).toMatchObject([{ actor: "admin", action, targets: [accountId] }]);
  expect(changes[0]).not.toHaveProperty("settings");
});

test("no line names a phone: a created account has its id, a cleared limit its name, an invitation two digits", async ({
  service,
  change,
  client,
}) => {
  const created = await change(
    'mutation { create_account(phone: "+12025550777", email: "who@example.org") { phone } }',
  );
  expect(created.changes).toMatchObject([
    { action: "create_account", targets: [expect.stringMatching(/^[0-9a-f-]{36}$/)] },
  ]);
  await service.set("OTP_LENGTH", 6);
  await client.post("/auth/login", { phone: "+12025550777", password: "not the right one" });
  const cleared = await change('mutation { clear_limits(subject: "+12025550777") { key } }');
  expect(cleared.changes[0]).toMatchObject({ action: "clear_limits" });
  expect(cleared.changes[0]?.targets).toContain("LOGIN_FAILURES_PER_PHONE");
  const invited = await change('mutation { invite(phone: "+12025550778", email: "who@example.org") { phone } }');
  expect(invited.changes).toMatchObject([{ action: "invite", targets: ["…78"] }]);
  const subscription =
    '{ id: "crm", url: "https://hooks.example.com/", types: ["session.opened"], secret_name: "crm" }';
  await change(`mutation { insert_settings_event_subscription_one(object: ${subscription}) { id } }`);
  const replayed = await change(
    'mutation { replay_events(subscription: "crm", from_at: "2026-01-01", to_at: "2026-01-02") { queued } }',
  );
  expect(replayed.changes).toMatchObject([{ action: "replay_events", targets: [] }]);
  expect(JSON.stringify(lines)).not.toMatch(/202555077|who@/);
});

test("what is rolled back, and what a query reads, has no line", async ({ change, admin }) => {
  const { answer, changes } = await change(
    `mutation {
       update_settings_configuration_by_pk(pk_columns: { key: "OTP_TTL_SECONDS" }, _set: { value: 299 }) { key }
       insert_settings_configuration(objects: [{ key: "OTP_LENGTH", value: 99 }]) { affected_rows }
     }`,
  );
  expect(answer.code).toBe("constraint-violation");
  expect(changes).toEqual([]);
  await admin("{ settings_configuration { key } }");
  expect(lines.filter(({ msg }) => msg === "the admin changed data")).toEqual([]);
});

test("over a socket, and as the user as whom the admin acts, alike", async ({ service, database, accountId }) => {
  const secret = adminOf(database);
  const [session] = await database.query<{ id: string }>(
    `insert into "user".session (user_id, session_epoch) select a.id, a.session_epoch from "user".account a where a.id = $1 returning id`,
    [accountId],
  );
  const acting = {
    "x-hasura-role": "user",
    "x-hasura-user-id": accountId,
    "x-hasura-session-id": session?.id ?? "",
  };
  lines.splice(0);
  const found = (action: string) =>
    lines.find((line) => line.msg === "the admin changed data" && line.action === action);

  const socket = createClient({
    url: `${service.url.replace("http", "ws")}/v1/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { headers: secret },
  });
  const query = `mutation { disable: update_user_account_by_pk(pk_columns: { id: "${accountId}" }, _set: { email: null }) { id } }`;
  for await (const { errors } of socket.iterate({ query })) expect(errors).toBeUndefined();
  await socket.dispose();
  await eventually("its line", () => found("update_user_account_by_pk") !== undefined);
  expect(found("update_user_account_by_pk")).toMatchObject({
    actor: "admin",
    client: "127.0.0.1",
    targets: [accountId],
  });

  const revoke = `mutation { revoke_session(id: "${session?.id}") { id } }`;
  expect((await askGraphql(service.url, { ...secret, ...acting })(revoke)).data).toEqual({
    revoke_session: { id: session?.id },
  });
  expect(found("revoke_session")).toMatchObject({
    actor: "admin",
    actsAs: "user",
    userId: accountId,
    targets: [session?.id],
  });
});
