import { livePerAccount, numberOf } from "./rows.ts";

/** Picks each row at random and only once, so that every call finds the row as it was seeded. */
export interface Picker {
  account: () => number;
  /** The number of a live session. */
  session: () => number;
  /** The number of a one-time password. */
  otp: () => number;
  /** Picks from the tenth of the accounts that only the load during the clean-up uses. */
  reserved: Pick<Picker, "account" | "session">;
  /** Returns a client address that no rate limit has counted yet. */
  client: () => string;
  /** Call it after reseeding. */
  reset: () => void;
}

export function createPicker(accounts: number): Picker {
  const used = { account: new Set<number>(), session: new Set<number>(), otp: new Set<number>() };
  const firstReserved = Math.floor(accounts * 0.9) + 1;
  let clients = 0;

  function pick(kind: keyof typeof used, from: number, to: number): number {
    const turns = kind === "account" ? 1 : livePerAccount;
    for (let tries = 0; tries < 1_000; tries++) {
      const account = from + Math.floor(Math.random() * (to - from + 1));
      const turn = Math.floor(Math.random() * turns);
      const number = kind === "account" ? account : numberOf(account, turn, accounts);
      if (used[kind].has(number)) continue;
      used[kind].add(number);
      return number;
    }
    throw new Error(`nearly all of ${accounts} accounts are used: set ROWS higher or CPU_MS lower`);
  }
  const kinds = (from: number, to: number) => ({
    account: () => pick("account", from, to),
    session: () => pick("session", from, to),
    otp: () => pick("otp", from, to),
  });

  return {
    ...kinds(1, firstReserved - 1),
    reserved: kinds(firstReserved, accounts),
    client() {
      clients++;
      return `11.${clients >> 16}.${(clients >> 8) & 255}.${clients & 255}`;
    },
    reset: () => Object.values(used).forEach((numbers) => numbers.clear()),
  };
}
