import { Unavailable } from "../unavailable.ts";

const perClient = 4;

export interface PasswordSlots {
  run: <T>(client: string, work: () => Promise<T>) => Promise<T>;
}

/** At most four password calls of one client in flight: nobody fills the queue for bcrypt alone. */
export function makePasswordSlots(): PasswordSlots {
  const inFlight = new Map<string, number>();
  return {
    async run(client, work) {
      const count = inFlight.get(client) ?? 0;
      if (count >= perClient) throw new Unavailable("this client has four password calls in flight");
      inFlight.set(client, count + 1);
      try {
        return await work();
      } finally {
        const left = (inFlight.get(client) ?? 1) - 1;
        if (left === 0) inFlight.delete(client);
        else inFlight.set(client, left);
      }
    },
  };
}
