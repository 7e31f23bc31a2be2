import { readFileSync } from "node:fs";
import { buildSchema, parse, validate } from "postgraphile/graphql";
import { expect, test } from "vitest";
import { schemaFile } from "../../graphql/hasura/printed_schema.ts";
import * as counters from "../../../web/static/admin/documents/counters.ts";
import * as delivery from "../../../web/static/admin/documents/delivery.ts";
import * as find from "../../../web/static/admin/documents/find.ts";
import * as messages from "../../../web/static/admin/documents/messages.ts";
import * as person from "../../../web/static/admin/documents/person.ts";
import * as settings from "../../../web/static/admin/documents/settings.ts";
import * as signIn from "../../../web/static/admin/documents/sign_in.ts";

const schema = buildSchema(readFileSync(schemaFile("admin"), "utf8"));
const documents = Object.entries({
  ...counters,
  ...delivery,
  ...find,
  ...messages,
  ...person,
  ...settings,
  ...signIn,
}).flatMap(([name, exported]) => (typeof exported === "object" ? [[name, exported.text] as const] : []));

test("there are documents", () => {
  expect(documents.length).toBeGreaterThan(20);
});

test.each(documents)("%s is valid in the schema that every admin has", (_name, text) => {
  expect(validate(schema, parse(text))).toEqual([]);
});
