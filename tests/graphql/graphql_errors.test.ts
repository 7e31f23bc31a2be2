import { expect } from "vitest";
import { createClient } from "graphql-ws";
import { WebSocket } from "ws";
import { test } from "../../testing/graphql/graphql_fixtures.ts";

// Errors have a code, and messages that reveal nothing of the database.

test.for<[string, string, Record<string, unknown>]>([
  ["query ($id: uuid!) { user_session_by_pk(id: $id) { id } }", "no variable", {}],
  ["query ($id: uuid!) { user_session_by_pk(id: $id) { id } }", "text", { id: "abc" }],
  ["query ($id: uuid!) { user_session_by_pk(id: $id) { id } }", "a number", { id: 7 }],
  ["query ($id: uuid!) { user_session_by_pk(id: $id) { id } }", "an object", { id: {} }],
  [
    "query ($t: timestamptz) { user_session(where: { created_at: { _gt: $t } }) { id } }",
    "text that is no time",
    { t: "soon" },
  ],
  [
    "query ($t: timestamptz) { user_session(where: { created_at: { _gt: $t } }) { id } }",
    "a time that does not exist",
    { t: "2026-13-45" },
  ],
  ["query ($n: Int) { platform_otp_transaction(where: { attempts: { _gt: $n } }) { id } }", "a fraction", { n: 1.5 }],
  [
    "query ($n: Int) { platform_otp_transaction(where: { attempts: { _gt: $n } }) { id } }",
    "too large",
    { n: 2 ** 40 },
  ],
  ["query ($s: String) { user_account(where: { phone: { _eq: $s } }) { id } }", "a zero byte", { s: "a\u0000b" }],
  ['{ user_session(where: { id: { _like: "a" } }) { id } }', "an operator of another type", {}],
  ["{ nothing }", "an unknown field", {}],
  ["{ user_session", "a syntax error", {}],
  ["", "an empty document", {}],
  ["query a { __typename } query b { __typename }", "two operations and no name", {}],
  ["subscription { x }", "a subscription", {}],
])("%s with %s", async ([query, _name, variables], { guest }) => {
  const response = await guest(query, variables);
  expect(response).toMatchObject({ status: 200, code: "validation-failed" });
  expect(response.message).not.toMatch(/relation|syntax for type|invalid byte|select |pg_|latchkey_/i);
});

test("a fault of the server is unexpected, without its cause", async ({ database, guest }) => {
  await database.query('alter table "user".account rename column email to electronic_mail');
  const response = await guest("{ user_account { email } }");
  await database.query('alter table "user".account rename column electronic_mail to email');
  expect(response).toMatchObject({ code: "unexpected", message: "Something went wrong on our side." });
});

test("a grant that was revoked is a permission error", async ({ database, guest }) => {
  await database.query('revoke select (email) on "user".account from latchkey_guest');
  const response = await guest("{ user_account { email } }");
  await database.query('grant select (email) on "user".account to latchkey_guest');
  expect(response).toMatchObject({
    code: "permission-error",
    message: "This role lacks the permission for that.",
  });
});

test.for<[string, string, Record<string, unknown>?]>([
  ["{ user_session", "$"],
  ["query a { __typename } query b { __typename }", "$"],
  ["{ nothing }", "$.selectionSet.nothing"],
  ["{ mine: user_session { id nothing } }", "$.selectionSet.mine.selectionSet.nothing"],
  [
    "{ user_session { user { ... on user_account { nothing } } } }",
    "$.selectionSet.user_session.selectionSet.user.selectionSet.nothing",
  ],
  [
    "{ user_session { ...a } } fragment a on user_session { user { ...b } } fragment b on user_account { nothing }",
    "$.selectionSet.user_session.selectionSet.user.selectionSet.nothing",
  ],
  ["{ user_session { ...a } } fragment a on user_session { ...a }", "$.selectionSet.user_session"],
  ["{ user_session(wheer: {}) { id } }", "$.selectionSet.user_session.args.wheer"],
  [
    '{ user_session(where: { _or: [{}, { id: { _like: "a" } }] }) { id } }',
    "$.selectionSet.user_session.args.where._or[1].id._like",
  ],
  ["{ user_session(limit: 1001) { id } }", "$"],
  ["query ($id: uuid!) { user_session_by_pk(id: $id) { id } }", "$", { id: 7 }],
  ["{ all: user_session(where: { id: { _eq: null } }) { id } }", "$.selectionSet.all"],
])(
  "%s has extensions.path %s, over HTTP and over sockets",
  async ([query, path, variables], { guest, guestTokens, socketUrl }) => {
    const { body } = await guest(query, variables);
    expect(body.errors?.[0]?.extensions).toMatchObject({ path });
    const socket = createClient({
      url: socketUrl,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: { Authorization: `Bearer ${guestTokens.access_token}` },
    });
    const errors = await new Promise((resolve) => {
      socket.subscribe(
        { query, ...(variables && { variables }) },
        { next: ({ errors }) => resolve(errors), error: resolve, complete: () => undefined },
      );
    });
    await socket.dispose();
    expect(errors).toMatchObject([{ extensions: { path } }]);
  },
);

test("a constraint's error has the path of its field", async ({ admin }) => {
  const { body } = await admin(
    'mutation { change: update_settings_configuration_by_pk(pk_columns: { key: "OTP_LENGTH" }, _set: { value: 99 }) { key } }',
  );
  expect(body.errors?.[0]?.extensions).toEqual({
    path: "$.selectionSet.change",
    code: "constraint-violation",
  });
});
