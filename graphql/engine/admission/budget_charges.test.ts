import { describe, expect } from "vitest";
import { caller, test } from "./fixtures/budget_fixtures.ts";

describe("cached documents", () => {
  test("are free up to a millisecond", ({ request }) => {
    for (let count = 0; count < 1_000; count++) expect(request(caller("user", "a"), 0.5, true)).toBe("served");
  });

  test("cost their session the time beyond it", ({ servedMs }) => {
    expect(servedMs([caller("user", "a")], true)).toBeLessThanOrEqual(20_000 * 0.25 + 600);
  });

  test("of guests are served when other guests have exhausted the shared budget", ({ request, exhaustBudget }) => {
    exhaustBudget((index) => caller("guest", `${index}`, `203.0.113.${index}`));
    const victim = caller("guest", "victim", "198.51.100.7");
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
  test("is free up to 20 milliseconds of a request, and not of a costly one", ({ budget, request }) => {
    const [user, costly] = [caller("user", "a"), caller("user", "b")];
    for (let count = 0; count < 100; count++) {
      const own = budget.admit(user, true);
      for (let statement = 0; statement < 2; statement++) own.chargeDatabase(10);
    }
    expect(request(user, 1, true)).toBe("served");
    for (let count = 0; count < 60; count++) {
      const own = budget.admit(costly, true);
      own.countAsCostly();
      own.chargeDatabase(10);
    }
    expect(request(costly, 1, true)).toBe("refused");
  });

  test("is charged to the user who took it, and refuses them for at most three seconds", ({
    budget,
    clock,
    request,
  }) => {
    const user = caller("user", "a");
    budget.admit(user, true).chargeDatabase(60_000);
    expect(request(user, 1, true)).toBe("refused");
    expect(request(caller("user", "b"), 1, true)).toBe("served");
    clock.now += 2_900;
    expect(request(user, 1, true)).toBe("refused");
    clock.now += 200;
    expect(request(user, 1, true)).toBe("served");
  });
});

test("a request that waited is refused if others have used up the budget meanwhile", ({ budget, request }) => {
  const user = caller("user", "a");
  const waiting = budget.admit(user, true);
  waiting.requireRest();
  budget.admit(user, true).chargeDatabase(1_000);
  expect(() => waiting.requireRest()).toThrow(/share of the server's time/);
  expect(request(caller("user", "b"), 1, true)).toBe("served");
});
