import { expect } from "vitest";
import { toLines } from "../../testing/import_users.ts";
import { newPhone } from "../../testing/people.ts";
import { hash, test } from "./fixtures/import_fixtures.ts";

test("users are imported with the values of their lines, and a second run skips them", async ({
  run,
  database,
}) => {
  const [one, two, three] = [newPhone(), newPhone(), newPhone()];
  const content = toLines([
    { phone: one, email: " Ada@Example.com ", password_hash: hash, created_at: "2019-05-06 07:08:09.123+02" },
    { phone: `${two.slice(0, 2)} ${two.slice(2)}`, password_hash: null, email: "" },
    { phone: three, created_at: "2020-01-02T03:04:05Z" },
  ]);
  const first = await run(`\uFEFF${content}\n\r\n`);
  expect(first).toMatchObject({ error: "", code: 0 });
  expect(first.out).toMatch(
    /^3 imported, 0 there already, 0 refused; \d+ users per second, \d+ MB of memory\n$/,
  );
  const stored = await database.query(
    `select phone, email, password_hash is not null as has_password, foreign_parameters, extract(epoch from created_at)::float as created
     from "user".account where phone = any($1) order by phone`,
    [[one, two, three]],
  );
  expect(stored).toEqual([
    {
      ...{ phone: one, email: "ada@example.com", has_password: true },
      ...{ foreign_parameters: `${hash.slice(0, 29)}$23`, created: 1557119289.123 },
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
    ["[]", "not a JSON object"],
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
    [JSON.stringify({ phone: newPhone(), created_at: "yesterday" }), "created_at is not a time"],
    [JSON.stringify({ phone: newPhone(), created_at: "2023-02-31T00:00:00Z" }), "created_at is not a time"],
    [
      JSON.stringify({ phone: newPhone(), created_at: "2999-01-01T00:00:00Z" }),
      "created_at is in the future",
    ],
    [
      JSON.stringify({ phone: newPhone(), email: "x".repeat(20_000) }),
      "longer than 16384 bytes, or not UTF-8",
    ],
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
