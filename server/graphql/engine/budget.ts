import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import type { Caller } from "../../authorization/caller.ts";
import { Refusal } from "./refusal.ts";
import type { Line } from "./turns.ts";

/** Relative to one session's share. */
const shares = { session: 1, guestsOfOneAddress: 1.5, allGuests: 2.5, admin: 2.5, withoutTurns: 0.1 };
/** An idle caller may use the shares of so many seconds at once: a page's first documents arrive together. */
const burstSeconds = 3;
const maxBuckets = 20_000;
/** A known document costs its session only what it takes beyond this. */
const freeMs = 1;
/** Bytes of an answer that take a millisecond to put together: measured at 400 KB. */
const bytesPerMs = 15_000;

/** Addresses that many clients share when nobody declared the proxy before them (TRUST_PROXY). */
const sharedRanges = new Set(["loopback", "private", "linkLocal", "uniqueLocal", "carrierGradeNat"]);

/** Where the milliseconds that one request takes of the event loop are charged. */
export interface Account {
  /** Runs and charges synchronous work. */
  spend: <T>(work: () => T) => T;
  /** Charges for an answer of so many bytes, whose rows were put together between other requests' work. */
  chargeAnswer: (bytes: number) => void;
}

export interface Budget {
  /**
   * @param known whether the plan of the caller's document exists already
   * @throws Refusal (limit-exceeded, passing) when the caller's share is spent
   */
  open: (caller: Caller, known: boolean) => Account;
  /** Whether the caller's documents that are known cost so much that they take turns, as new ones do. */
  takesTurns: (caller: Caller) => boolean;
  /** Charges for so long a use of the database; nothing if it is negative. */
  chargeDatabase: (settings: Caller["settings"], ms: number) => void;
}

interface Options {
  /** The share of the event loop of one user, with all sessions, or one guest session: milliseconds per second. */
  msPerSecond: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

/**
 * Shares the event loop out: parsing, validating and planning are synchronous. A user pays for what all its sessions cause.
 * Guest sessions are free to open, so guests share wider buckets too, by address and in total; those are charged for,
 * and refuse, only documents that must be planned: whoever spends them cannot keep other guests from what their
 * clients usually send.
 */
export function createBudget({ msPerSecond, now = () => performance.now() }: Options): Budget {
  const bucketsOf = (share: number) => createBuckets(msPerSecond * share, now);
  const payers = bucketsOf(shares.session);
  const addresses = bucketsOf(shares.guestsOfOneAddress);
  const guests = bucketsOf(shares.allGuests);
  const admins = bucketsOf(shares.admin);
  const withoutTurns = bucketsOf(shares.withoutTurns);

  const bucketsFor = ({ audience, settings, address }: Caller, known: boolean): Bucket[] => {
    if (audience === "admin") return [admins.get("admin")];
    const own = payers.get(ownKey(settings));
    if (known || settings.role !== "latchkey_guest") return [own];
    const counted = address !== undefined && isOneClient(address);
    return [own, guests.get("all"), ...(counted ? [addresses.get(address)] : [])];
  };

  return {
    open(caller, known) {
      const buckets = bucketsFor(caller, known);
      if (buckets.some((bucket) => bucket.isSpent())) throw spent;
      let free = known ? freeMs : 0;
      const charged = known ? [...buckets, withoutTurns.get(ownKey(caller.settings))] : buckets;
      const charge = (ms: number) => {
        for (const bucket of charged) bucket.charge(Math.max(0, ms - free));
        free = Math.max(0, free - ms);
      };
      return {
        spend(work) {
          const started = now();
          try {
            return work();
          } finally {
            charge(now() - started);
          }
        },
        chargeAnswer: (bytes) => charge(bytes / bytesPerMs),
      };
    },
    takesTurns: ({ audience, settings }) =>
      audience !== "admin" && withoutTurns.get(ownKey(settings)).isSpent(),
    chargeDatabase: (settings, ms) => payers.get(ownKey(settings)).charge(Math.max(0, ms)),
  };
}

/** A user with all its sessions, or a guest session. */
export const ownKey = (settings: Caller["settings"]) =>
  String(settings["latchkey.user_id"] || settings["latchkey.session_id"]);

const spent = new Refusal(
  "limit-exceeded",
  "The documents of this user, or of guests, have taken their share of the server's time. Try again in a second.",
  { passing: true },
);

interface Bucket {
  isSpent: () => boolean;
  charge: (ms: number) => void;
}

function createBuckets(msPerSecond: number, now: () => number): { get: (key: string) => Bucket } {
  const capacity = msPerSecond * burstSeconds;
  const buckets = new LRUCache<string, { left: number; at: number }>({ max: maxBuckets });
  const refilled = (key: string) => {
    const time = now();
    const { left, at } = buckets.get(key) ?? { left: capacity, at: time };
    return { left: Math.min(capacity, left + ((time - at) * msPerSecond) / 1000), at: time };
  };
  return {
    get: (key) => ({
      isSpent: () => refilled(key).left <= 0,
      charge(ms) {
        const { left, at } = refilled(key);
        // Debts are forgiven after three seconds: what made everybody wait for the database must not keep everybody out for long.
        buckets.set(key, { left: Math.max(-capacity, left - ms), at });
      },
    }),
  };
}

/** Who waits in one line: a user with all its sessions, the guests of one address, or a guest session where many share an address. */
export function payerOf({ audience, settings, address }: Caller): string {
  if (audience === "admin") return "admin";
  const isGuest = settings.role === "latchkey_guest";
  return isGuest && address !== undefined && isOneClient(address) ? address : ownKey(settings);
}

export function lineOf({ audience, settings }: Caller): Line {
  if (audience === "admin") return "admin";
  return settings.role === "latchkey_guest" ? "guests" : "users";
}

function isOneClient(address: string): boolean {
  const [host = ""] = address.split("/");
  return ipaddr.isValid(host) && !sharedRanges.has(ipaddr.parse(host).range());
}
