import { expect } from "vitest";
import { storedSetting } from "../../testing/service/stored_setting.ts";
import { test, type Outcome } from "./fixtures/failing_rows.ts";

// One failure map: a failure of PostgreSQL becomes the same by REST and by GraphQL, at a statement and at COMMIT.

const atBothMoments = <Row extends readonly unknown[]>(rows: readonly Row[]) =>
  rows.flatMap((row) => (["statement", "COMMIT"] as const).map((moment) => [moment, ...row] as const));

/** SQLSTATEs, and the end of the backend. */
const temporary = ["08006", "25P03", "25P04", "28000", "40001", "40P01", "53300", "55006", "57P01", "killed"].map(
  (state) => [state] as const,
);

test.for(atBothMoments(temporary))(
  "when a %s fails with %s, REST and GraphQL respond with 503 and Retry-After, and the log has the cause once",
  async ([moment, state], { fail, byRest, byGraphql }) => {
    await fail(state, moment);
    const cause = state === "killed" ? "terminating connection due to administrator command" : "made up";
    const expected: Outcome = {
      status: 503,
      retryAfter: "2",
      code: "SERVICE_UNAVAILABLE",
      cause,
      faults: [],
    };
    expect(await byRest()).toEqual(expected);
    expect(await byGraphql()).toEqual({ ...expected, code: "unexpected" });
  },
);

/** SQLSTATE, the status of REST, the code in GraphQL's `errors`, and the faults in the log of each. */
const ofDialect = [
  ["55P03", 503, "timeout", [], []],
  ["57014", 503, "timeout", [], []],
  ["23514", 500, "constraint-violation", ["made up"], []],
  ["42501", 500, "permission-error", ["made up"], []],
  ["P0001", 500, "unexpected", ["made up"], ["made up"]],
] as const;

test.for(atBothMoments(ofDialect))(
  "when a %s fails with %s, REST responds with %i, and GraphQL with 200 and the code %s",
  async ([moment, state, status, code, restFaults, graphqlFaults], { fail, byRest, byGraphql }) => {
    await fail(state, moment);
    expect(await byRest()).toMatchObject({ status, faults: restFaults });
    expect(await byGraphql()).toMatchObject({ status: 200, retryAfter: null, code, faults: graphqlFaults });
  },
);

test("a mutation whose COMMIT fails is not reported as done, and the next one succeeds", async ({
  fail,
  admin,
  database,
}) => {
  await fail("23514", "COMMIT");
  const mutation = `mutation { update_settings_configuration_by_pk(pk_columns: { key: "OTP_TTL_SECONDS" }, _set: { value: 298 }) { value } }`;
  expect(await admin(mutation)).toMatchObject({
    data: null,
    message: "A value violates a check constraint of its column or table.",
  });
  expect(await storedSetting(database, "OTP_TTL_SECONDS")).toBe(300);
  await database.query("drop trigger fails on settings.configuration");
  expect((await admin(mutation)).data).toEqual({ update_settings_configuration_by_pk: { value: 298 } });
});
