import { createPlaces, type Places } from "../../http/places.ts";
import type { Caller } from "../authorization/caller.ts";
import { callerClassOf, principalOf } from "../engine/admission/principals.ts";

/** How many authorized sockets may be open at once. */
export interface SocketBounds {
  perAddress: number;
  total: number;
  /** Guests need no account, so they may not take the places that are left for users. */
  guests: number;
  /** A user's, from whatever addresses: many addresses cost less than many accounts. */
  perUser: number;
}

/** docs/graphql.md documents them. */
const defaultBounds: SocketBounds = { perAddress: 1_000, total: 20_000, guests: 16_000, perUser: 100 };

export interface SocketPlaces {
  /**
   * Adds an authorized socket. Beyond a bound, this one is evicted, or the newest socket of a network that holds more
   * than its own: honest sockets stay for hours, so those that came first are kept.
   * @returns removes the socket; any further call does nothing
   */
  enter: (caller: Caller, evict: () => void) => () => void;
}

/** Bounds authorized sockets by address, by user, in total, and in total of guests. */
export function createSocketPlaces({ perAddress, total, guests, perUser }: SocketBounds = defaultBounds): SocketPlaces {
  const ofAll = createPlaces({ perAddress, total, evicts: "newest" });
  const ofGuests = createPlaces({ perAddress, total: guests, evicts: "newest" });
  const byUser = createPlaces({ perAddress: perUser, total, evicts: "newest" });

  return {
    enter(caller, evict) {
      const address = caller.address ?? "unknown";
      const callerClass = callerClassOf(caller);
      const entered: (() => void)[] = [];
      const state = { isEvicted: false };
      const leave = () => {
        for (const leaveOne of entered) leaveOne();
      };
      const evictFromAll = () => {
        state.isEvicted = true;
        leave();
        evict();
      };
      const enter = (places: Places, key: string) => {
        if (!state.isEvicted) entered.push(places.enter(key, evictFromAll));
      };
      // Before the total: what guests evict from each other, and a user from itself, leaves room for the others.
      if (callerClass === "guests") enter(ofGuests, address);
      if (callerClass === "users") enter(byUser, principalOf(caller));
      enter(ofAll, address);
      return leave;
    },
  };
}
