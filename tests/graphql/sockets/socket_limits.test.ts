import { expect } from "vitest";
import { createClient } from "graphql-ws";
import { WebSocket } from "ws";
import { test as baseTest } from "../../../testing/graphql/graphql_fixtures.ts";

interface OperationError {
  message: string;
  extensions: { code: string };
}
const test = baseTest
  .extend("socket", { scope: "file" }, ({ socketUrl, guestTokens }, { onCleanup }) => {
    const socket = createClient({
      url: socketUrl,
      webSocketImpl: WebSocket,
      connectionParams: { Authorization: `Bearer ${guestTokens.access_token}` },
    });
    onCleanup(() => socket.dispose());
    return socket;
  })
  /** Returns the first error of an operation. The protocol's error message is sent before any execution. */
  .extend(
    "errorOf",
    ({ socket }) =>
      (query: string, variables?: Record<string, unknown>): Promise<OperationError> =>
        new Promise((resolve, reject) => {
          const unexpected = () => reject(new Error("it was executed"));
          socket.subscribe(
            { query, ...(variables && { variables }) },
            {
              next: unexpected,
              error: (errors) => resolve((errors as OperationError[])[0]!),
              complete: () => undefined,
            },
          );
        }),
  );

const repeat = (count: number, text: string): string => text.repeat(count);

test.for<[string, string, string, RegExp]>([
  ["nesting", `{ user_session(where: ${repeat(4_900, "[")}`, "validation-failed", /nests more than/],
  // Unknown fields, too: validating 1,000 of them would take longer than counting them.
  ["fields", `{ user_session { ${repeat(1_000, "nothing ")} } }`, "limit-exceeded", /500 fields/],
  ["depth", `{ ${repeat(20, "nothing { ")} id ${repeat(20, "} ")} }`, "limit-exceeded", /fields deep/],
  ["root fields", `subscription { ${repeat(60, "user_session { nothing } ")} }`, "limit-exceeded", /root fields/],
  [
    "relations",
    `subscription { user_session(where: {_and: [${repeat(11, "{user: {}}, ")}]}) { id } }`,
    "limit-exceeded",
    /10 conditions/,
  ],
  ["limit", "subscription { user_session(limit: 1001) { id } }", "limit-exceeded", /limit must be at most/],
  ["rows × fields", "{ user_session { user { sessions { id role } } } }", "limit-exceeded", /could hold/],
])(
  "a socket's operation is measured before it is validated or executed: %s",
  async ([_n, query, code, message], { errorOf }) => {
    const error = await errorOf(query);
    expect(error.message).toMatch(message);
    expect(error.extensions.code).toBe(code);
  },
);

test("the variables of a socket's operation are coerced and measured, too", async ({ errorOf }) => {
  const query = "query ($w: user_session_bool_exp) { user_session(where: $w) { id } }";
  const nested = { user: { sessions: { user: { sessions: { user: {} } } } } };
  expect((await errorOf(query, { w: nested })).extensions.code).toBe("limit-exceeded");
  expect((await errorOf(query, { w: { nothing: {} } })).extensions.code).toBe("validation-failed");
});
