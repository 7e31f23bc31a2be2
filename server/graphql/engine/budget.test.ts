import { beforeEach, describe, expect, test } from "vitest";
import type { Caller } from "../../authorization/caller.ts";
import { createBudget, type Budget } from "./budget.ts";

let time: number;
let budget: Budget;
beforeEach(() => {
  time = 0;
  budget = createBudget({ msPerSecond: 200, now: () => time, cpu: () => time });
});

const caller = (role: "guest" | "user", session: string, address?: string): Caller => ({
  audience: "user",
  settings: { role: `latchkey_${role}`, "latchkey.session_id": session },
  expires: undefined,
  ...(address !== undefined && { address }),
});
const admin: Caller = { audience: "admin", settings: { role: "latchkey_admin" }, expires: undefined };

/** Sends a request that takes so many milliseconds of the event loop, if it is not refused. */
function request(from: Caller, ms: number, isCached = false): "served" | "refused" {
  try {
    budget.admit(from, isCached).run(() => (time += ms));
    return "served";
  } catch (error) {
    expect(error).toMatchObject({ code: "limit-exceeded", retryable: true });
    return "refused";
  }
}
/** Sends documents of 50 ms until one is refused. */
function exhaustBudget(callerOf: (index: number) => Caller): void {
  for (let index = 0; index < 1_000; index++) if (request(callerOf(index), 50) === "refused") return;
  throw new Error("never refused");
}
/** How many milliseconds of 20 seconds the callers get if they send documents of 50 ms in turn, without a pause. */
function servedMs(callers: Caller[], isCached = false): number {
  let total = 0;
  const end = time + 20_000;
  for (let turn = 0; time < end; turn++) {
    if (request(callers[turn % callers.length]!, 50, isCached) === "served") total += 50;
    else time += 10;
  }
  return total;
}

test("time in which another process has the core is not charged", () => {
  let cpuTime = 0;
  budget = createBudget({ msPerSecond: 200, now: () => time, cpu: () => cpuTime });
  const from = caller("user", "a");
  for (let count = 0; count < 100; count++)
    budget.admit(from, false).run(() => {
      time += 100;
      cpuTime += 5;
    });
});

describe("new documents", () => {
  test("of one session take a fifth of the time", () => {
    expect(servedMs([caller("user", "a")])).toBeLessThanOrEqual(20_000 * 0.2 + 600 + 50);
    expect(servedMs([caller("user", "a")])).toBeLessThanOrEqual(20_000 * 0.2 + 50);
  });

  test("are served again as time passes", () => {
    const user = caller("user", "a");
    exhaustBudget(() => user);
    time += 1_000;
    expect(request(user, 50)).toBe("served");
  });

  test("of one session do not use the share of another session", () => {
    exhaustBudget(() => caller("user", "a"));
    expect(request(caller("user", "b"), 50)).toBe("served");
  });

  test("of many guest sessions of one address take less than a third of the time", () => {
    const guests = Array.from({ length: 50 }, (_, index) => caller("guest", `${index}`, "203.0.113.7"));
    const total = servedMs(guests);
    expect(total).toBeLessThanOrEqual(20_000 * 0.3 + 900 + 50);
    expect(total).toBeGreaterThan(20_000 * 0.2);
  });

  test("of guests of one address do not use the share of another address", () => {
    exhaustBudget((index) => caller("guest", `${index}`, "203.0.113.7"));
    expect(request(caller("guest", "other", "203.0.113.8"), 50)).toBe("served");
  });

  test.each([undefined, "127.0.0.1", "::1/64", "10.1.2.3", "fd00::/64", "100.64.0.1"])(
    "of guests behind an address that a proxy may have, %s, have no common share",
    (address) => {
      const guests = Array.from({ length: 50 }, (_, index) => caller("guest", `${index}`, address));
      expect(servedMs(guests)).toBeGreaterThan(20_000 * 0.3 + 900 + 50);
    },
  );

  test("of all guests together leave users half of the time", () => {
    const guests = Array.from({ length: 100 }, (_, index) =>
      caller("guest", `${index}`, `203.0.113.${index}`),
    );
    expect(servedMs(guests)).toBeLessThanOrEqual(20_000 * 0.5 + 1_500 + 50);
  });

  test("of users are served when guests have exhausted their budget", () => {
    exhaustBudget((index) => caller("guest", `${index}`));
    expect(request(caller("user", "a"), 50)).toBe("served");
  });

  test("of the admin take at most half of the time", () => {
    expect(servedMs([admin])).toBeLessThanOrEqual(20_000 * 0.5 + 1_500 + 50);
  });

  test("are charged when they are invalid, too", () => {
    const user = caller("user", "a");
    const fail = () =>
      budget.admit(user, false).run(() => {
        time += 700;
        throw new Error("invalid");
      });
    expect(fail).toThrow("invalid");
    expect(fail).toThrow(/share of the server's time/);
  });
});

describe("cached documents", () => {
  test("are free up to a millisecond", () => {
    for (let count = 0; count < 1_000; count++)
      expect(request(caller("user", "a"), 0.5, true)).toBe("served");
  });

  test("cost their session the time beyond it", () => {
    expect(servedMs([caller("user", "a")], true)).toBeLessThanOrEqual(20_000 * 0.25 + 600);
  });

  test("of guests are served when other guests have exhausted the shared budget", () => {
    exhaustBudget((index) => caller("guest", `${index}`, "203.0.113.7"));
    const victim = caller("guest", "victim", "203.0.113.7");
    expect(request(victim, 5)).toBe("refused");
    expect(request(victim, 5, true)).toBe("served");
  });
});

test("a user has one share, however many sessions it opens", () => {
  const sessions = Array.from({ length: 25 }, (_, index): Caller => {
    const { settings, ...rest } = caller("user", `session ${index}`);
    return { ...rest, settings: { ...settings, "latchkey.user_id": "a user" } };
  });
  expect(servedMs(sessions)).toBeLessThanOrEqual(20_000 * 0.2 + 600 + 50);
});

test("a large response is charged for, also that of a cached document", () => {
  const user = caller("user", "a");
  let responses = 0;
  for (; request(user, 0, true) === "served" && responses < 1_000; responses++)
    budget.admit(user, true).chargeResponse(400_000);
  // 27 ms each, of 600 ms.
  expect(responses).toBeGreaterThan(20);
  expect(responses).toBeLessThan(30);
});

describe("the database time", () => {
  const charge = ({ settings }: Caller, ms: number) => budget.chargeDatabase(settings, ms);

  test("is charged to the user who took it, and refuses them for at most three seconds", () => {
    const user = caller("user", "a");
    charge(user, 60_000);
    expect(request(user, 1, true)).toBe("refused");
    expect(request(caller("user", "b"), 1, true)).toBe("served");
    time += 2_900;
    expect(request(user, 1, true)).toBe("refused");
    time += 200;
    expect(request(user, 1, true)).toBe("served");
  });

  test("is not credited when a request took less than is free", () => {
    const user = caller("user", "a");
    for (let count = 0; count < 100; count++) charge(user, -200);
    expect(request(user, 1, true)).toBe("served");
  });
});

describe("cached documents must queue", () => {
  test("while they take a caller more than 20 ms in a second", () => {
    const user = caller("user", "a");
    for (let count = 0; count < 10; count++) request(user, 10, true);
    expect(budget.mustQueue(user)).toBe(true);
    expect(budget.mustQueue(caller("user", "b"))).toBe(false);
    time += 10_000;
    expect(budget.mustQueue(user)).toBe(false);
  });

  test("not if they are cheap, however many, and not if they are the admin's", () => {
    const user = caller("user", "a");
    for (let count = 0; count < 1_000; count++) {
      request(user, 1, true);
      request(admin, 10, true);
    }
    expect([budget.mustQueue(user), budget.mustQueue(admin)]).toEqual([false, false]);
  });
});
