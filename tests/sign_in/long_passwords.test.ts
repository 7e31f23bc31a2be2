import { afterEach, beforeEach, expect, vi } from "vitest";
import { z } from "zod";
import { goodPassword, logIn, newPhone, signUp } from "../../testing/service/people.ts";
import { bearer } from "../../testing/service/rest_client.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import { routes } from "../../server/rest/routes.ts";

/** 16 KB of combining marks in the order that takes longest to sort. */
const marks = "a" + "\u0301".repeat(3_900) + "\u0323".repeat(3_900);
const phone = newPhone();

/** Each route with a password: a body, and why it is refused. */
const bodies: [route: string, body: object, reason: string][] = [
  ["DELETE /auth/account", { password: marks }, "login_refused"],
  ["DELETE /auth/email", { password: marks }, "not_enabled"],
  ["POST /auth/email", { newEmail: "ada@example.com", password: marks }, "not_enabled"],
  ["POST /auth/register", { phone, password: marks }, "too_long"],
  ["POST /auth/login", { phone, password: marks }, "login_refused"],
  ["POST /auth/password", { currentPassword: marks, newPassword: goodPassword }, "login_refused"],
  ["POST /auth/password", { currentPassword: goodPassword, newPassword: marks }, "too_long"],
  ["POST /auth/phone", { newPhone: newPhone(), password: marks }, "login_refused"],
  ["POST /auth/reset-password/verify", { phone, otp: "123456", newPassword: marks }, "too_long"],
  ["POST /auth/session/step-up", { password: marks }, "login_refused"],
];

const test = baseTest
  .extend("person", { scope: "file" }, ({ service }) => signUp(service, phone))
  .extend("tokens", { scope: "file" }, ({ service, person }) => logIn(service, person));

let normalized: number[] = [];
beforeEach(() => {
  normalized = [];
  const { normalize } = String.prototype as { normalize: (this: string, form?: string) => string };
  vi.spyOn(String.prototype, "normalize").mockImplementation(function (this: string, form) {
    normalized.push(this.length);
    return normalize.call(this, form);
  });
});
afterEach(() => void vi.restoreAllMocks());

test.for(bodies)(
  "%s does not normalize a password of 16 KB of combining marks",
  async ([route, body, reason], { service, tokens }) => {
    const [method, path] = route.split(" ") as [string, string];
    const answer = await fetch(`${service.url}/api/v1${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        ...(path !== "/auth/login" && bearer(tokens.access_token)),
      },
      body: JSON.stringify(body),
    });
    expect(await answer.json()).toMatchObject({ error: { details: { reason } } });
    expect(Math.max(0, ...normalized)).toBeLessThanOrEqual(2_048);
  },
);

test("these are all routes with a password", () => {
  const withPassword = routes.filter(({ input }) => {
    const { properties = {} } = input.body ? z.toJSONSchema(input.body, { io: "input", unrepresentable: "any" }) : {};
    return Object.keys(properties).some((name) => /password$/i.test(name));
  });
  expect(new Set(bodies.map(([route]) => route))).toEqual(
    new Set(withPassword.map(({ method, path }) => `${method} ${path}`)),
  );
});
