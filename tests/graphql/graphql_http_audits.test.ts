import { serverAudits } from "graphql-http";
import { expect } from "vitest";
import { test as baseTest } from "../../testing/graphql/graphql_fixtures.ts";

// One of the audits sends its variables with an introspection query.
const test = baseTest.extend("serviceOptions", { scope: "file" }, () => ({
  worker: false,
  env: { GRAPHQL_INTROSPECTION: "on" },
}));

let url: string;
let token: string;
test.beforeAll(({ service, guestTokens }) => {
  url = `${service.url}/v1/graphql`;
  token = guestTokens.access_token;
});

const audits = serverAudits({
  url: () => url,
  fetchFn: (input: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  },
});
const levelOf = (name: string): string => name.split(" ", 1)[0] ?? "";

test.each(audits.filter(({ name }) => levelOf(name) === "MUST"))("$name", async ({ fn }) => {
  expect(await fn()).toMatchObject({ status: "ok" });
});

test("graphql-http has MUST audits", () => {
  expect(audits.filter(({ name }) => levelOf(name) === "MUST").length).toBeGreaterThan(10);
});
