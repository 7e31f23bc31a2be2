import { expect } from "vitest";
import { eventually } from "../../../testing/eventually.ts";
import { askGraphql } from "../../../testing/graphql/graphql_client.ts";
import { collectLog } from "../../../testing/log_lines.ts";
import { test as baseTest } from "../../../testing/graphql/graphql_fixtures.ts";

const { log, lines } = collectLog();
const secrets = {
  unnamed: "the secret without a name, 32 characters",
  old: "the-old-secret-of-alice-0123456789",
  new: "the-new-secret-of-alice-0123456789",
  ci: "the-secret-of-the-pipeline-0123456789",
};
const mutation = `mutation { update_settings_configuration_by_pk(pk_columns: { key: "OTP_LENGTH" }, _set: { value: 7 }) { key } }`;

/** `seen` empties the list of the names that a trigger of the settings has read. */
const test = baseTest
  .extend("serviceOptions", { scope: "file" }, () => ({
    worker: false,
    log,
    env: { ADMIN_SECRET: secrets.unnamed, ADMIN_SECRETS: `alice:${secrets.old},alice:${secrets.new},ci:${secrets.ci}` },
  }))
  .extend("seen", { scope: "file" }, async ({ database }) => {
    await database.query("create table private.seen_admin (name text)");
    await database.query(
      `create function private.see_admin() returns trigger language plpgsql security definer as
       $$ begin insert into private.seen_admin values (coalesce(private.admin_name(), 'nobody')); return null; end $$`,
    );
    await database.query("alter table private.seen_admin owner to latchkey_owner");
    await database.query("alter function private.see_admin() owner to latchkey_owner");
    await database.query("grant execute on function private.see_admin() to latchkey_admin");
    await database.query(
      "create trigger see_admin after update on settings.configuration for each row execute function private.see_admin()",
    );
    return async () =>
      (await database.query<{ name: string }>("delete from private.seen_admin returning name")).map(({ name }) => name);
  });

test.for([
  [secrets.unnamed, undefined],
  [secrets.old, "alice"],
  [secrets.new, "alice"],
  [secrets.ci, "ci"],
] as const)(
  "a change with %s is known as the one of %s, in the log and in the database",
  async ([secret, name], { service, seen }) => {
    await seen();
    lines.splice(0);
    const answer = await askGraphql(service.url, { "x-hasura-admin-secret": secret })(mutation);
    expect(answer.code).toBeUndefined();
    expect(await seen()).toEqual([name ?? "nobody"]);
    const find = (text: string) => lines.find(({ msg }) => msg === text);
    await eventually("the request's line", () => find("request") !== undefined);
    for (const text of ["request", "the admin changed data"])
      expect([find(text)?.actor, find(text)?.adminName]).toEqual(["admin", name]);
    expect(JSON.stringify(lines)).not.toContain(secret);
  },
);

test("secrets of two admins in one request are refused, and two of one admin are not", async ({ service }) => {
  const statusOf = async (one: string, other: string) =>
    (await askGraphql(service.url, { "x-admin-secret": one, "x-hasura-admin-secret": other })("{ __typename }")).status;
  expect(await statusOf(secrets.old, secrets.new)).toBe(200);
  expect(await statusOf(secrets.old, secrets.ci)).toBe(401);
  expect(await statusOf(secrets.unnamed, secrets.ci)).toBe(401);
  expect(await statusOf(secrets.ci, `${secrets.ci}x`)).toBe(401);
});

test("no caller can name itself an admin by a setting or a header", async ({ service, seen }) => {
  await seen();
  const headers = { "x-admin-secret": secrets.unnamed, "x-hasura-admin-name": "alice" };
  expect((await askGraphql(service.url, headers)(mutation)).status).toBe(400);
  expect(await seen()).toEqual([]);
});
