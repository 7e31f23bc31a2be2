import { expect } from "vitest";
import { test } from "../../../testing/graphql/graphql_fixtures.ts";

const add = `mutation ($object: settings_event_subscription_insert_input!) {
  insert_settings_event_subscription_one(object: $object) { id types enabled }
}`;
const crm = {
  id: "crm",
  url: "https://hooks.example.com/latchkey?token=a-token",
  types: ["account.registered", "session.opened"],
  secret_name: "crm",
};

test("the admin adds, changes and deletes subscriptions, and each is an event that tells who and what", async ({
  admin,
  database,
}) => {
  expect((await admin(add, { object: crm })).data).toEqual({
    insert_settings_event_subscription_one: { id: "crm", types: crm.types, enabled: true },
  });
  const change = `mutation { update_settings_event_subscription_by_pk(pk_columns: { id: "crm" }, _set: { types: ["otp.sent"], enabled: false }) { types enabled } }`;
  expect((await admin(change)).data).toEqual({
    update_settings_event_subscription_by_pk: { types: ["otp.sent"], enabled: false },
  });
  const remove = `mutation { delete_settings_event_subscription_by_pk(id: "crm") { id } }`;
  expect((await admin(remove)).code).toBeUndefined();
  const { data } = await admin(
    `{ platform_event(where: { type: { _eq: "setting.changed" } }, order_by: { at: asc }) { actor data } }`,
  );
  const events = (data?.platform_event as { actor: string; data: Record<string, unknown> }[]).filter(
    (event) => event.data.key === "event_subscription.crm",
  );
  const [before, after] = [
    { url: "https://hooks.example.com", types: crm.types, secret_name: "crm", enabled: true },
    { url: "https://hooks.example.com", types: ["otp.sent"], secret_name: "crm", enabled: false },
  ];
  const key = "event_subscription.crm";
  expect(events).toEqual([
    { actor: "admin", data: { key, new: before } },
    { actor: "admin", data: { key, old: before, new: after } },
    { actor: "admin", data: { key, old: after } },
  ]);
  expect(await database.query("select id from settings.event_subscription")).toEqual([]);
});

test.for<[string, object, string]>([
  ["no address", { url: "hooks.example.com" }, "url must be an address such as https://hooks.example.com/latchkey"],
  ["a type that is not there", { types: ["session.closed"] }, "types: there is no type of event session.closed"],
  [
    "a secret in place of its name",
    { secret_name: "whsec_AAAA/" },
    "secret_name must be the name that a secret has in EVENT_SECRETS, not the secret",
  ],
])("%s is refused with a sentence", async ([, change, message], { admin }) => {
  expect(await admin(add, { object: { ...crm, ...change } })).toMatchObject({ code: "constraint-violation", message });
});

test("in production the admin turns none off, and is told by whom it is done", async ({
  admin,
  database,
  onTestFinished,
}) => {
  await admin(add, { object: crm });
  const [before] = await database.query<{ production: boolean }>("select production from private.installation");
  await database.query("update private.installation set production = true");
  onTestFinished(async () => {
    await database.query("update private.installation set production = $1", [before?.production]);
    await database.query("delete from settings.event_subscription");
  });
  const off = `mutation { update_settings_event_subscription_by_pk(pk_columns: { id: "crm" }, _set: { enabled: false }) { id } }`;
  expect(await admin(off)).toMatchObject({
    code: "constraint-violation",
    message: expect.stringMatching(/^in production only the migrator deletes a subscription, turns it off/) as string,
  });
});

const replay = `mutation ($from: timestamptz!) {
  replay_events(subscription: "crm", from_at: $from, to_at: "2100-01-01T00:00:00Z") { subscription_id queued }
}`;
const from = "2000-01-01T00:00:00Z";

test("the admin replays events, sees what waits, and is told why nothing is replayed", async ({ admin, database }) => {
  expect(await admin(replay, { from })).toMatchObject({
    code: "constraint-violation",
    message: "There is no such subscription.",
  });
  await admin(add, { object: { ...crm, types: ["password.changed"] } });
  for (const n of [1, 2])
    await database.query("select private.record_event('password.changed', gen_random_uuid(), data => $1)", [{ n }]);
  await database.query("delete from platform.event_delivery");
  expect((await admin(replay, { from })).data).toEqual({ replay_events: [{ subscription_id: "crm", queued: 2 }] });
  const { data } = await admin(
    "{ platform_event_backlog { subscription_id waiting failed } platform_event_delivery { attempts last_error } }",
  );
  expect(data).toEqual({
    platform_event_backlog: [{ subscription_id: "crm", waiting: 2, failed: 0 }],
    platform_event_delivery: [
      { attempts: 0, last_error: null },
      { attempts: 0, last_error: null },
    ],
  });
  expect(
    await database.query("select actor, data ->> 'action' as action from platform.event where type = 'admin.acted'"),
  ).toContainEqual({ actor: "admin", action: "replay_events" });
});

test("neither a guest nor a user sees subscriptions or what waits for them", async ({ guest }) => {
  for (const field of [
    "settings_event_subscription { id }",
    "platform_event_delivery { event_id }",
    "platform_event_backlog { waiting }",
  ])
    expect((await guest(`{ ${field} }`)).code).toBe("validation-failed");
});
