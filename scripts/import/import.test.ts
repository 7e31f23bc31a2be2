import { randomUUID } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { toLines } from "../../testing/service/import_users.ts";
import { newPhone } from "../../testing/service/people.ts";
import { temporaryFolder } from "../../testing/temporary_folder.ts";
import { hash, test } from "./fixtures/import_fixtures.ts";

test("users are imported with the values of their lines, and a second run skips them", async ({ run, database }) => {
  const [one, two, three] = [newPhone(), newPhone(), newPhone()];
  const content = toLines([
    { phone: one, email: " Ada@Example.com ", password_hash: hash, created_at: "2019-05-06 07:08:09.123+02" },
    { phone: `${two.slice(0, 2)} ${two.slice(2)}`, password_hash: null, email: "" },
    { phone: three, created_at: "2020-01-02T03:04:05Z" },
  ]);
  const first = await run(`\uFEFF${content}\n\r\n`);
  expect(first).toMatchObject({ error: "", code: 0 });
  expect(first.out).toMatch(/^3 imported, 0 there already, 0 refused; \d+ users per second, \d+ MB of memory\n$/);
  const stored = await database.query(
    `select phone, email, password_hash is not null as has_password, foreign_parameters, extract(epoch from created_at)::float as created
     from "user".account where phone = any($1) order by phone`,
    [[one, two, three]],
  );
  expect(stored).toEqual([
    {
      phone: one,
      email: "ada@example.com",
      has_password: true,
      foreign_parameters: `${hash.slice(0, 29)}$23`,
      created: 1557119289.123,
    },
    {
      phone: two,
      email: null,
      has_password: false,
      foreign_parameters: null,
      created: expect.any(Number) as number,
    },
    { phone: three, email: null, has_password: false, foreign_parameters: null, created: 1577934245 },
  ]);
  expect(await run(content)).toMatchObject({
    error: "",
    out: expect.stringMatching(/^0 imported, 3 there already, 0 refused;/) as string,
    code: 0,
  });
});

test("ids are kept, every form of time is read, and --map tells the account of each line, also in a second run", async ({
  run,
  database,
}) => {
  const ids = [randomUUID(), randomUUID()];
  const [one, two, three, four] = [newPhone(), newPhone(), newPhone(), newPhone()];
  const seconds = 1714979289;
  const users = [
    { phone: one, id: ids[0]?.toUpperCase(), created_at: seconds },
    { phone: two, external_id: `sms|${ids[1]}`, created_at: `${seconds}000` },
    { phone: three, created_at: "Mon, 06 May 2024 07:08:09 GMT" },
    { phone: four, id: ids[0] },
    { phone: four, external_id: `sms|${ids[1]}` },
  ];
  const map = join(temporaryFolder(), "map.ndjson");
  for (const outcome of ["3 imported, 0 there already, 2 refused", "0 imported, 3 there already, 2 refused"]) {
    const { out, error, code } = await run(JSON.stringify(users), ["--map", map, "--connections", "1"]);
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining(outcome) as string });
    expect(error).toContain("line 4: its id has another account");
    expect(error).toContain("line 5: its external_id has another account");
    const stored = await database.query<{ id: string; external_id: string | null; created: number }>(
      `select id, external_id, extract(epoch from created_at)::float as created from "user".account
       where phone = any ($1) order by phone = $2 desc, external_id is not null desc`,
      [[one, two, three], one],
    );
    expect(stored.map(({ created }) => created)).toEqual([seconds, seconds, seconds]);
    expect(stored[0]?.id).toBe(ids[0]);
    expect(stored[1]?.external_id).toBe(`sms|${ids[1]}`);
    const entries = readFileSync(map, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { line: number });
    expect(entries.sort((first, second) => first.line - second.line)).toEqual(
      stored.map(({ id, external_id }, index) => ({ line: index + 1, external_id, id })),
    );
    expect(statSync(map).mode & 0o777, "it names people").toBe(0o600);
  }
});

test("every line that is refused is named with its reason, the others are imported, and the code is 1", async ({
  run,
  database,
}) => {
  const [native, twice, good] = [newPhone(), newPhone(), newPhone()];
  await database.query(
    `insert into "user".account (id, phone, phone_verified_at) values (gen_random_uuid(), $1, now())`,
    [native],
  );
  const refused: [string | Buffer, string][] = [
    ["{", "not JSON"],
    ["[2]", "not a JSON object"],
    ["null", "not a JSON object"],
    [JSON.stringify({ email: "a@b.example" }), "phone must be text"],
    [JSON.stringify({ phone: "212 555 0123" }), "phone is not a valid number"],
    [JSON.stringify({ phone: "+1 212 555" }), "phone is not a valid number"],
    [JSON.stringify({ phone: newPhone(), email: "nobody" }), "email is not a valid address"],
    [JSON.stringify({ phone: newPhone(), email: 7 }), "email must be text"],
    [JSON.stringify({ phone: newPhone(), passwordHash: hash }), "a member is none of phone, email,"],
    [JSON.stringify({ phone: newPhone(), password_hash: "secret" }), "the password hash is none of"],
    [
      JSON.stringify({ phone: newPhone(), password_hash: hash.replace("$04$", "$31$") }),
      "the bcrypt hash is refused: its cost must be 4 to 14",
    ],
    [JSON.stringify({ phone: newPhone(), id: "sms|1" }), "id must be a UUID; give other ids as external_id"],
    [JSON.stringify({ phone: newPhone(), external_id: "with a blank" }), "external_id must be 1 to 255"],
    [JSON.stringify({ phone: newPhone(), external_id: 7 }), "external_id must be text"],
    [JSON.stringify({ phone: newPhone(), created_at: "Tue, 31 Feb 2023 00:00:00 GMT" }), "created_at is not a time"],
    [JSON.stringify({ phone: newPhone(), created_at: true }), "created_at must be text or a number"],
    [JSON.stringify({ phone: newPhone(), created_at: 9_999_999_999 }), "created_at is in the future"],
    [JSON.stringify({ phone: newPhone(), created_at: "yesterday" }), "created_at is not a time"],
    [JSON.stringify({ phone: newPhone(), created_at: "2023-02-31T00:00:00Z" }), "created_at is not a time"],
    [JSON.stringify({ phone: newPhone(), created_at: "2999-01-01T00:00:00Z" }), "created_at is in the future"],
    [JSON.stringify({ phone: newPhone(), email: "x".repeat(20_000) }), "longer than 16384 bytes, or not UTF-8"],
    [Buffer.from([0x7b, 0xff, 0x7d]), "longer than 16384 bytes, or not UTF-8"],
    [JSON.stringify({ phone: native }), "its phone has another account"],
    [JSON.stringify({ phone: twice, email: "second@b.example" }), "its phone has another account"],
  ];
  const lines = [
    JSON.stringify({ phone: twice }),
    "",
    ...refused.map(([line]) => line),
    JSON.stringify({ phone: good }),
  ];
  const content = Buffer.concat(lines.map((line) => Buffer.concat([Buffer.from(line), Buffer.from("\n")])));
  const { out, error, code } = await run(content, ["--connections", "1"]);
  expect(code).toBe(1);
  expect(out).toMatch(new RegExp(`^2 imported, 0 there already, ${refused.length} refused;`));
  expect(error.trim().split("\n")).toEqual(
    refused.map(([, reason], index) => expect.stringContaining(`line ${index + 3}: ${reason}`) as string),
  );
  expect(error, "no part of a line").not.toMatch(/secret|example|\+1212|\$2b\$04/);
});
