import { readFileSync } from "node:fs";
import { buildSchema, parse, validate } from "postgraphile/graphql";
import { expect, test } from "vitest";
import { schemaFile } from "../../graphql/hasura/printed_schema.ts";
import * as counters from "../../web/static/admin/documents/counter_documents.ts";
import * as delivery from "../../web/static/admin/documents/delivery_documents.ts";
import * as events from "../../web/static/admin/documents/event_documents.ts";
import * as find from "../../web/static/admin/documents/find_documents.ts";
import * as invitations from "../../web/static/admin/documents/invitation_documents.ts";
import * as messages from "../../web/static/admin/documents/message_documents.ts";
import * as person from "../../web/static/admin/documents/person_documents.ts";
import * as settings from "../../web/static/admin/documents/setting_documents.ts";
import * as signIns from "../../web/static/admin/documents/sign_ins_documents.ts";
import * as signIn from "../../web/static/admin/documents/sign_in_documents.ts";

const schema = buildSchema(readFileSync(schemaFile("admin"), "utf8"));
const documents = Object.entries({
  ...counters,
  ...delivery,
  ...events,
  ...find,
  ...invitations,
  ...messages,
  ...person,
  ...settings,
  ...signIn,
  ...signIns,
}).flatMap(([name, exported]) => (typeof exported === "object" ? [[name, exported.text] as const] : []));

test("there are documents", () => {
  expect(documents.length).toBeGreaterThan(20);
});

test.each(documents)("%s is valid in the schema that every admin has", (_name, text) => {
  expect(validate(schema, parse(text))).toEqual([]);
});
