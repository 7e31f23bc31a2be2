import { describe, expect } from "vitest";
import { admin, caller, test } from "./fixtures/budget_fixtures.ts";
import type { Caller } from "../../authorization/caller.ts";

describe("new documents", () => {
  test("of one session take a fifth of the time", ({ servedMs }) => {
    expect(servedMs([caller("user", "a")])).toBeLessThanOrEqual(20_000 * 0.2 + 600 + 50);
    expect(servedMs([caller("user", "a")])).toBeLessThanOrEqual(20_000 * 0.2 + 50);
  });

  test("are served again as time passes", ({ clock, request, exhaustBudget }) => {
    const user = caller("user", "a");
    exhaustBudget(() => user);
    clock.now += 1_000;
    expect(request(user, 50)).toBe("served");
  });

  test("of one session do not use the share of another session", ({ request, exhaustBudget }) => {
    exhaustBudget(() => caller("user", "a"));
    expect(request(caller("user", "b"), 50)).toBe("served");
  });

  test("of many guest sessions of one address take a fifth of the time, in all", ({ servedMs }) => {
    const guests = Array.from({ length: 50 }, (_, index) => caller("guest", `${index}`, "203.0.113.7"));
    expect(servedMs(guests)).toBeLessThanOrEqual(20_000 * 0.2 + 600 + 50);
  });

  test("of all guests together leave the others four fifths of the time", ({ servedMs }) => {
    const guests = Array.from({ length: 100 }, (_, index) => caller("guest", `${index}`, `203.0.113.${index}`));
    expect(servedMs(guests)).toBeLessThanOrEqual(20_000 * 0.2 + 600 + 50);
  });

  test("of users are served when guests have exhausted their budget", ({ request, exhaustBudget }) => {
    exhaustBudget((index) => caller("guest", `${index}`));
    expect(request(caller("user", "a"), 50)).toBe("served");
  });

  test("of the admin, whose programs are trusted, are not charged", ({ servedMs }) => {
    expect(servedMs([admin])).toBe(20_000);
  });

  test("are charged when they are invalid, too", ({ budget, clock }) => {
    const user = caller("user", "a");
    const fail = () =>
      budget.admit(user, false).run(() => {
        clock.now += 700;
        throw new Error("invalid");
      });
    expect(fail).toThrow("invalid");
    expect(fail).toThrow(/share of the server's time/);
  });
});

test("a user has one share, however many sessions it opens", ({ servedMs }) => {
  const sessions = Array.from({ length: 25 }, (_, index): Caller => {
    const { settings, ...rest } = caller("user", `session ${index}`);
    return { ...rest, settings: { ...settings, "latchkey.user_id": "a user" } };
  });
  expect(servedMs(sessions)).toBeLessThanOrEqual(20_000 * 0.2 + 600 + 50);
});
