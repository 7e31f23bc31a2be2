import { expect } from "vitest";
import { test as baseTest } from "../../testing/graphql/graphql_fixtures.ts";
import { documentBlocks } from "../../testing/documents/document_blocks.ts";
import { adminOf, askGraphql } from "../../testing/graphql/graphql_client.ts";
import { logIn, signUp } from "../../testing/service/people.ts";

// signUp needs a worker.
const test = baseTest.extend("serviceOptions", { scope: "file" }, () => ({}));

const allOf =
  "query ($id: uuid!) { platform_event(where: { user_id: { _eq: $id } }, order_by: { at: asc }) { type actor session_id data } }";
interface Event {
  type: string;
  actor: string;
  session_id: string | null;
}

test("a user reads its own events, by the document's query too, and nobody else's", async ({
  service,
  askAs,
  admin,
}) => {
  const [ada, bob] = [await signUp(service), await signUp(service)];
  const session = await logIn(service, ada);
  await logIn(service, bob);
  const [documented = ""] = documentBlocks("docs/events.md", '"Who signed in as me?"', "graphql");
  const { data } = await askAs(session)(documented);
  expect(data?.platform_event).toMatchObject([
    { type: "session.opened", data: { amr: ["pwd"] } },
    { type: "session.opened", data: { amr: ["sms"] } },
  ]);
  const own = (await askAs(session)("{ platform_event { user_id } }")).data?.platform_event as { user_id: string }[];
  const [{ user_id: userId } = { user_id: "" }] = own;
  expect(new Set(own.map(({ user_id }) => user_id))).toEqual(new Set([userId]));
  const all = (await admin(allOf, { id: userId })).data?.platform_event as Event[];
  expect(all.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["account.registered", "account.verified", "session.opened"]),
  );
  expect(all.filter(({ session_id: id }) => id === session.session_id)).toMatchObject([
    { type: "session.opened", actor: "user" },
  ]);
});

test("what an admin does is an event of the admin, also while it acts as a user, and the chains verify", async ({
  service,
  database,
  askAs,
  admin,
}) => {
  const person = await signUp(service);
  const [session, other] = [await logIn(service, person), await logIn(service, person)];
  const mine = (await askAs(session)("{ user_session { id user_id } }")).data?.user_session as { user_id: string }[];
  const userId = mine[0]!.user_id;
  const asUser = { "X-Hasura-Role": "user", "X-Hasura-User-Id": userId, "X-Hasura-Session-Id": session.session_id };
  await askGraphql(service.url, { ...adminOf(database), ...asUser })(
    "mutation ($id: uuid!) { revoke_session(id: $id) { id } }",
    { id: other.session_id },
  );
  await admin('mutation ($id: uuid!) { disable_account(id: $id, reason: "a test") { id } }', { id: userId });
  const { data } = await admin(allOf, { id: userId });
  expect((data?.platform_event as Event[]).filter(({ actor }) => actor === "admin")).toMatchObject([
    { type: "session.revoked", session_id: other.session_id, data: { reason: "revoked_by_user" } },
    { type: "account.disabled" },
    { type: "session.revoked", data: { reason: "account_disabled" } },
  ]);
  const faults = await admin("{ verify_events { lane fault } }");
  expect(faults.data).toEqual({ verify_events: [] });
  const story = await admin("query ($id: uuid!) { session_as_of(id: $id) { type actor } }", {
    id: session.session_id,
  });
  expect(story.data).toEqual({
    session_as_of: [
      { type: "session.opened", actor: "user" },
      { type: "session.revoked", actor: "admin" },
    ],
  });
});

test("a request that was refused is explained by the id in its answer's header", async ({ service, client, admin }) => {
  const { phone } = await signUp(service);
  const explain = async (id: string | null) => {
    const { data } = await admin("query ($id: String!) { explain_refusal(request_id: $id) { what details } }", { id });
    return data?.explain_refusal;
  };
  const refused = await client.post("/auth/login", { phone, password: "not the password" });
  expect(refused).toMatchObject({ code: "INVALID_REQUEST" });
  expect(await explain(refused.headers.get("x-request-id"))).toEqual([
    {
      what: "The password was refused: it is wrong, or no account has this phone or email.",
      details: expect.stringMatching(/; account [-0-9a-f]{36}, which can be signed in to; client /) as string,
    },
  ]);
  const guest = await client.post("/auth/session/guest");
  expect(await explain(guest.headers.get("x-request-id"))).toMatchObject([
    { what: "No refusal of this request is stored." },
  ]);
});
