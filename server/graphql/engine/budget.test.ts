import { beforeEach, describe, expect, test } from "vitest";
import type { Caller } from "../../authorization/caller.ts";
import { createBudget, payerOf, type Budget } from "./budget.ts";

let time: number;
let budget: Budget;
beforeEach(() => {
  time = 0;
  budget = createBudget({ msPerSecond: 200, now: () => time });
});

const caller = (role: "guest" | "user", session: string, address?: string): Caller => ({
  audience: "user",
  settings: { role: `latchkey_${role}`, "latchkey.session_id": session },
  expires: undefined,
  ...(address !== undefined && { address }),
});
const admin: Caller = { audience: "admin", settings: { role: "latchkey_admin" }, expires: undefined };

/** One request, which takes so many milliseconds of the event loop, or is refused. */
function request(who: Caller, ms: number, known = false): "served" | "refused" {
  try {
    budget.open(who, known).spend(() => (time += ms));
    return "served";
  } catch (error) {
    expect(error).toMatchObject({ code: "limit-exceeded", passing: true });
    return "refused";
  }
}
/** Sends documents of 50 ms until one is refused; from: the caller of each. */
function spendAll(from: (index: number) => Caller): void {
  for (let index = 0; index < 1_000; index++) if (request(from(index), 50) === "refused") return;
  throw new Error("never refused");
}
/** Milliseconds of 20 seconds that callers get who send documents of 50 ms without a pause, one after the other. */
function served(callers: Caller[], known = false): number {
  let total = 0;
  const end = time + 20_000;
  for (let turn = 0; time < end; turn++) {
    if (request(callers[turn % callers.length]!, 50, known) === "served") total += 50;
    else time += 10;
  }
  return total;
}

describe("new documents", () => {
  test("of one session take a fifth of the time", () => {
    expect(served([caller("user", "a")])).toBeLessThanOrEqual(20_000 * 0.2 + 600 + 50);
    expect(served([caller("user", "a")])).toBeLessThanOrEqual(20_000 * 0.2 + 50);
  });

  test("are served again as time passes", () => {
    const who = caller("user", "a");
    spendAll(() => who);
    time += 1_000;
    expect(request(who, 50)).toBe("served");
  });

  test("of one session keep no other session waiting", () => {
    spendAll(() => caller("user", "a"));
    expect(request(caller("user", "b"), 50)).toBe("served");
  });

  test("of many guest sessions of one address take less than a third of the time", () => {
    const guests = Array.from({ length: 50 }, (_, index) => caller("guest", `${index}`, "203.0.113.7"));
    const total = served(guests);
    expect(total).toBeLessThanOrEqual(20_000 * 0.3 + 900 + 50);
    expect(total).toBeGreaterThan(20_000 * 0.2);
  });

  test("of guests of one address leave those of another their share", () => {
    spendAll((index) => caller("guest", `${index}`, "203.0.113.7"));
    expect(request(caller("guest", "other", "203.0.113.8"), 50)).toBe("served");
  });

  test.each([undefined, "127.0.0.1", "::1/64", "10.1.2.3", "fd00::/64", "100.64.0.1"])(
    "of guests behind an address that proxies have, %s, are not one client's",
    (address) => {
      const guests = Array.from({ length: 50 }, (_, index) => caller("guest", `${index}`, address));
      expect(served(guests)).toBeGreaterThan(20_000 * 0.3 + 900 + 50);
    },
  );

  test("of all guests together leave users half of the time", () => {
    const guests = Array.from({ length: 100 }, (_, index) =>
      caller("guest", `${index}`, `203.0.113.${index}`),
    );
    expect(served(guests)).toBeLessThanOrEqual(20_000 * 0.5 + 1_500 + 50);
  });

  test("of users are refused by no guest's", () => {
    spendAll((index) => caller("guest", `${index}`));
    expect(request(caller("user", "a"), 50)).toBe("served");
  });

  test("of the admin take half of the time at most", () => {
    expect(served([admin])).toBeLessThanOrEqual(20_000 * 0.5 + 1_500 + 50);
  });

  test("are charged when they fail, too", () => {
    const who = caller("user", "a");
    const fail = () =>
      budget.open(who, false).spend(() => {
        time += 700;
        throw new Error("invalid");
      });
    expect(fail).toThrow("invalid");
    expect(fail).toThrow(/share of the server's time/);
  });
});

describe("documents whose plan is known", () => {
  test("cost nothing up to a millisecond", () => {
    for (let count = 0; count < 1_000; count++)
      expect(request(caller("user", "a"), 0.5, true)).toBe("served");
  });

  test("cost their session what they take beyond it", () => {
    expect(served([caller("user", "a")], true)).toBeLessThanOrEqual(20_000 * 0.25 + 600);
  });

  test("of guests are served when other guests have spent what they share", () => {
    spendAll((index) => caller("guest", `${index}`, "203.0.113.7"));
    const victim = caller("guest", "victim", "203.0.113.7");
    expect(request(victim, 5)).toBe("refused");
    expect(request(victim, 5, true)).toBe("served");
  });
});

describe("a user", () => {
  const session = (name: string): Caller => ({
    audience: "user",
    settings: { role: "latchkey_user", "latchkey.session_id": name, "latchkey.user_id": "a user" },
    expires: undefined,
  });

  test("has one share, however many sessions it opens", () => {
    const sessions = Array.from({ length: 25 }, (_, index) => session(`session ${index}`));
    expect(served(sessions)).toBeLessThanOrEqual(20_000 * 0.2 + 600 + 50);
  });

  test("waits in one line with all its sessions, guests by their address", () => {
    expect(payerOf(session("one"))).toBe(payerOf(session("another")));
    expect(payerOf(caller("guest", "one", "198.51.100.1"))).toBe(
      payerOf(caller("guest", "another", "198.51.100.1")),
    );
    // Behind a proxy that nobody declared guests share an address, and no line.
    expect(payerOf(caller("guest", "one", "10.0.0.1"))).not.toBe(
      payerOf(caller("guest", "another", "10.0.0.1")),
    );
  });
});

test("a large answer is charged for, also of a known document", () => {
  const who = caller("user", "a");
  let answers = 0;
  for (; request(who, 0, true) === "served" && answers < 1_000; answers++)
    budget.open(who, true).chargeAnswer(400_000);
  // 27 ms each, of 600 ms.
  expect(answers).toBeGreaterThan(20);
  expect(answers).toBeLessThan(30);
});

describe("the database's time", () => {
  const use = ({ settings }: Caller, ms: number) => budget.chargeDatabase(settings, ms);

  test("is charged to whoever took it, and paid in three seconds at most", () => {
    const who = caller("user", "a");
    use(who, 60_000);
    expect(request(who, 1, true)).toBe("refused");
    expect(request(caller("user", "b"), 1, true)).toBe("served");
    time += 2_900;
    expect(request(who, 1, true)).toBe("refused");
    time += 200;
    expect(request(who, 1, true)).toBe("served");
  });

  test("costs nothing where there was none beyond what is free", () => {
    const who = caller("user", "a");
    for (let count = 0; count < 100; count++) use(who, -200);
    expect(request(who, 1, true)).toBe("served");
  });
});

describe("turns are taken by", () => {
  test("callers whose known documents take more than 20 ms in a second, for as long as they do", () => {
    const who = caller("user", "a");
    for (let count = 0; count < 10; count++) request(who, 10, true);
    expect(budget.takesTurns(who)).toBe(true);
    expect(budget.takesTurns(caller("user", "b"))).toBe(false);
    time += 10_000;
    expect(budget.takesTurns(who)).toBe(false);
  });

  test("nobody for cheap ones, however many, nor the admin", () => {
    const who = caller("user", "a");
    for (let count = 0; count < 1_000; count++) {
      request(who, 1, true);
      request(admin, 10, true);
    }
    expect([budget.takesTurns(who), budget.takesTurns(admin)]).toEqual([false, false]);
  });
});
