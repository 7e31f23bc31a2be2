import { describe, expect } from "vitest";
import { admin, caller, test } from "./fixtures/budget_fixtures.ts";

describe("cached documents", () => {
  test("are free up to a millisecond", ({ request }) => {
    for (let count = 0; count < 1_000; count++)
      expect(request(caller("user", "a"), 0.5, true)).toBe("served");
  });

  test("cost their session the time beyond it", ({ servedMs }) => {
    expect(servedMs([caller("user", "a")], true)).toBeLessThanOrEqual(20_000 * 0.25 + 600);
  });

  test("of guests are served when other guests have exhausted the shared budget", ({
    request,
    exhaustBudget,
  }) => {
    exhaustBudget((index) => caller("guest", `${index}`, "203.0.113.7"));
    const victim = caller("guest", "victim", "203.0.113.7");
    expect(request(victim, 5)).toBe("refused");
    expect(request(victim, 5, true)).toBe("served");
  });
});

test("a large response is charged for, also that of a cached document", ({ budget, request }) => {
  const user = caller("user", "a");
  let responses = 0;
  for (; request(user, 0, true) === "served" && responses < 1_000; responses++)
    budget.admit(user, true).chargeResponse(400_000);
  // 27 ms each, of 600 ms.
  expect(responses).toBeGreaterThan(20);
  expect(responses).toBeLessThan(30);
});

describe("the database time", () => {
  test("is charged to the user who took it, and refuses them for at most three seconds", ({
    budget,
    clock,
    request,
  }) => {
    const user = caller("user", "a");
    budget.chargeDatabase(user.settings, 60_000);
    expect(request(user, 1, true)).toBe("refused");
    expect(request(caller("user", "b"), 1, true)).toBe("served");
    clock.now += 2_900;
    expect(request(user, 1, true)).toBe("refused");
    clock.now += 200;
    expect(request(user, 1, true)).toBe("served");
  });

  test("is not credited when a request took less than is free", ({ budget, request }) => {
    const user = caller("user", "a");
    for (let count = 0; count < 100; count++) budget.chargeDatabase(user.settings, -200);
    expect(request(user, 1, true)).toBe("served");
  });
});

describe("cached documents must queue", () => {
  test("while they take a caller more than 20 ms in a second", ({ budget, clock, request }) => {
    const user = caller("user", "a");
    for (let count = 0; count < 10; count++) request(user, 10, true);
    expect(budget.mustQueue(user)).toBe(true);
    expect(budget.mustQueue(caller("user", "b"))).toBe(false);
    clock.now += 10_000;
    expect(budget.mustQueue(user)).toBe(false);
  });

  test("not if they are cheap, however many, and not if they are the admin's", ({ budget, request }) => {
    const user = caller("user", "a");
    for (let count = 0; count < 1_000; count++) {
      request(user, 1, true);
      request(admin, 10, true);
    }
    expect([budget.mustQueue(user), budget.mustQueue(admin)]).toEqual([false, false]);
  });
});
