import { livePerAccount, numberOf } from "./seeded_rows.ts";

/** Picks each row at random and only once, so that every call finds the row as it was seeded. */
export interface Picker {
  account: () => number;
  /** The number of a live session. */
  session: () => number;
  /** The number of a one-time password. */
  otp: () => number;
  /** Returns a client address that no rate limit has counted yet. */
  client: () => string;
  /** Call it after reseeding. */
  reset: () => void;
}

export function createPicker(accounts: number): Picker {
  const used = { account: new Set<number>(), session: new Set<number>(), otp: new Set<number>() };
  let clients = 0;

  function pick(kind: keyof typeof used): number {
    for (let tries = 0; tries < 1_000; tries++) {
      const account = 1 + Math.floor(Math.random() * accounts);
      const turn = Math.floor(Math.random() * livePerAccount);
      const number = kind === "account" ? account : numberOf(account, turn, accounts);
      if (used[kind].has(number)) continue;
      used[kind].add(number);
      return number;
    }
    throw new Error(`nearly all of ${accounts} accounts are used: set ROWS higher or CPU_MS lower`);
  }

  return {
    account: () => pick("account"),
    session: () => pick("session"),
    otp: () => pick("otp"),
    client() {
      clients++;
      return `11.${clients >> 16}.${(clients >> 8) & 255}.${clients & 255}`;
    },
    reset: () => Object.values(used).forEach((numbers) => numbers.clear()),
  };
}
