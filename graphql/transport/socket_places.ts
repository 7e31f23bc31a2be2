import { createPlaces } from "../../http/places.ts";
import type { Caller } from "../authorization/caller.ts";
import { callerClassOf } from "../engine/payers.ts";

/** How many authorized sockets may be open at once. */
export interface SocketBounds {
  perAddress: number;
  total: number;
  /** Guests need no account, so they may not take the places that are left for users. */
  guests: number;
}

/** docs/graphql.md documents them. */
const defaultBounds: SocketBounds = { perAddress: 1_000, total: 20_000, guests: 16_000 };

export interface SocketPlaces {
  /**
   * Adds an authorized socket. Beyond a bound, the newest socket of the address that holds most is evicted, perhaps this one itself:
   * honest sockets stay for hours, so those that came first are kept.
   * @returns removes the socket; any further call does nothing
   */
  enter: (caller: Caller, evict: () => void) => () => void;
}

/** Bounds authorized sockets by address, in total, and in total of guests. */
export function createSocketPlaces({
  perAddress,
  total,
  guests,
}: SocketBounds = defaultBounds): SocketPlaces {
  const ofAll = createPlaces({ perAddress, total, evicts: "newest" });
  const ofGuests = createPlaces({ perAddress, total: guests, evicts: "newest" });

  return {
    enter(caller, evict) {
      const address = caller.address ?? "unknown";
      const entered: (() => void)[] = [];
      const state = { isEvicted: false };
      const leave = () => {
        for (const leaveOne of entered) leaveOne();
      };
      const evictFromBoth = () => {
        state.isEvicted = true;
        leave();
        evict();
      };
      // Guests first: what they evict from each other leaves room for users.
      for (const places of callerClassOf(caller) === "guests" ? [ofGuests, ofAll] : [ofAll])
        if (!state.isEvicted) entered.push(places.enter(address, evictFromBoth));
      return leave;
    },
  };
}
