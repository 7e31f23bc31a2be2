import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { newPhone, signUp } from "../../../testing/service/people.ts";
import { test } from "../fixtures/live_fixtures.ts";

/**
 * Every root field of the admin's schema that takes a phone, from the printed schema: what is added is covered. A primary
 * key that is a phone is compared, as every other one.
 */
const fields = [
  ...readFileSync("graphql/hasura/schema.admin.graphql", "utf8").matchAll(
    /^ {2}(\w+)\(([^)]*\b(phone|subject): String[^)]*)\): \[?(\w+)/gm,
  ),
]
  .filter(([, field = ""]) => !field.endsWith("_by_pk"))
  .map(([, field = "", args = "", argument = ""]) => ({
    argument,
    field,
    document: (value: string) => {
      const keyword = /^(clear|create|invite|send)(_|$)/.test(field) ? "mutation" : "query";
      const since = args.includes("since:") ? ', since: "2026-01-01T00:00:00Z"' : "";
      return `${keyword} { ${field}(${argument}: ${JSON.stringify(value)}${since}) { __typename } }`;
    },
  }));

test("the fields that take a phone are found", () => {
  expect(fields.map(({ field }) => field).sort()).toEqual([
    "clear_limits",
    "create_account",
    "explain_delivery",
    "find_account",
    "invite",
    "limits_of",
    "send_test_message",
  ]);
});

test.for(fields)("$field refuses what is no phone, with a sentence", async ({ argument, document }, { admin }) => {
  for (const wrong of ["+1234567", "\u202a +1 23", "+12125550123 ext. 4", "+".padEnd(300, "1")]) {
    const { code, message } = await admin(document(wrong));
    expect(code, wrong).toBe("constraint-violation");
    expect(message).toBe(
      `${argument}: the phone is not valid: it must be a possible number of its country, written internationally with a leading +, such as +12125550123.`,
    );
  }
});

const spellings = (phone: string) => [
  ` ${phone.slice(0, 2)} ${phone.slice(2, 5)}-${phone.slice(5)} `,
  `\u202a${phone.replace("+", "\uff0b")}\u202c`,
  phone.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
];

const create = "mutation ($phone: String!) { create_account(phone: $phone) { phone } }";

test("a phone is written as REST takes it", async ({ admin }) => {
  for (const index of [0, 1, 2]) {
    const phone = newPhone();
    expect((await admin(create, { phone: spellings(phone)[index] })).data).toEqual({
      create_account: { phone },
    });
  }
});

test("no account gets a number that no numbering plan has; it can be searched", async ({ admin }) => {
  const refused = {
    code: "constraint-violation",
    message: expect.stringContaining("numbering plan must have it") as string,
  };
  expect(await admin(create, { phone: "+10005550101" })).toMatchObject(refused);
  const set = `mutation { update_user_account(where: { phone: { _is_null: true } }, _set: { phone: "+10005550101" }) { affected_rows } }`;
  expect(await admin(set)).toMatchObject(refused);
  const find = `{ find_account(phone: "+10005550101") { phone } }`;
  expect((await admin(find)).data).toEqual({ find_account: [] });
});

test("an account is given a phone in any spelling, and found by any", async ({ admin, database }) => {
  const [phone, id] = [newPhone(), "018f0000-0000-7000-8000-0000000000a1"];
  await database.query(`insert into "user".account (id, phone, phone_verified_at) values ($1, null, now())`, [id]);
  const give = `mutation ($id: uuid!, $phone: String) { update_user_account_by_pk(pk_columns: { id: $id }, _set: { phone: $phone }) { phone } }`;
  expect((await admin(give, { id, phone: spellings(phone)[0] })).data).toEqual({
    update_user_account_by_pk: { phone },
  });
  for (const spelling of spellings(phone))
    expect(
      (await admin("query ($phone: String!) { find_account(phone: $phone) { id } }", { phone: spelling })).data,
    ).toEqual({ find_account: [{ id }] });
});

test("limits and the story of a phone are found, and cleared, in any spelling", async ({ admin, service }) => {
  const { phone } = await signUp(service);
  await service.client.post("/auth/login", { phone, password: "a wrong one" });
  const count = async (document: string, subject: string) =>
    (Object.values((await admin(document, { subject })).data ?? {})[0] as unknown[]).length;
  const limits = "query ($subject: String!) { limits_of(subject: $subject) { policy } }";
  const story = `query ($subject: String!) { explain_delivery(phone: $subject, since: "2026-01-01T00:00:00Z") { what } }`;
  for (const spelling of spellings(phone)) {
    expect(await count(limits, spelling)).toBeGreaterThan(0);
    expect(await count(story, spelling)).toBeGreaterThan(0);
  }
  const clear = "mutation ($subject: String!) { clear_limits(subject: $subject) { key } }";
  expect(await count(clear, spellings(phone)[1]!)).toBeGreaterThan(0);
  expect(await count(limits, phone)).toBe(0);
});
