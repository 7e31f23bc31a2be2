import { setTimeout as delay } from "node:timers/promises";
import { tokensOf, type Answer, type Client } from "../../testing/rest_client.ts";

const pauseMs = 20;

export interface Counts {
  /** Successful. */
  done: number;
  /** Status 429 or 503: the client must retry later. */
  refused: number;
  /** Status 502: the response says that the SMS was not sent. */
  unsent: number;
  /** No response, or one that does not say whether the request was executed. */
  lost: number;
}

export interface Load {
  counts: Record<string, Counts>;
  /** Phones whose sends were successful. */
  acknowledged: Set<string>;
  /** Errors and statuses of the lost requests. */
  faults: Set<string>;
  /** Number of sessions whose refresh was refused although they were not ended. */
  lostSessions: () => number;
  stop: () => Promise<void>;
}

/** Starts `lanes` clients of each kind, which repeat their request until stopped. */
export function startLoad(client: Client, account: object, kinds: string[], lanes: number): Load {
  const counts: Record<string, Counts> = {};
  const acknowledged = new Set<string>();
  const faults = new Set<string>();
  let stopped = false;
  let lostSessions = 0;
  let phones = 0;

  async function attempt(kind: string, request: () => Promise<Answer>): Promise<Answer | undefined> {
    const count = (counts[kind] ??= { done: 0, refused: 0, unsent: 0, lost: 0 });
    const answer = await request().catch((error: unknown) => {
      // A proxy's error page is not JSON.
      faults.add(`${kind} ${(error as Error).message}`);
      return undefined;
    });
    const { status = 0, code } = answer ?? {};
    if (status === 200) count.done++;
    else if (status === 429 || status === 503) count.refused++;
    else if (code === "OTP_SEND_FAILED") count.unsent++;
    else {
      count.lost++;
      if (answer) faults.add(`${kind} ${status}`);
    }
    return answer;
  }

  async function send(): Promise<void> {
    const phone = `+1212${String(2_000_000 + phones++)}`;
    const answer = await attempt("send", () => client.sendOtp(phone));
    if (answer?.status === 200) acknowledged.add(phone);
  }

  async function refresh(): Promise<void> {
    let token: string | undefined;
    while (!stopped) {
      await delay(pauseMs);
      const current = token;
      const answer = await attempt("refresh", () =>
        current === undefined ? client.post("/auth/session/guest") : client.refresh(current),
      );
      if (answer?.status === 200) token = tokensOf(answer).refresh_token;
      else if (answer?.status === 401) {
        lostSessions++;
        token = undefined;
      }
    }
  }

  const work: Record<string, () => Promise<unknown>> = {
    send,
    login: () => attempt("login", () => client.post("/auth/login", account)),
    health: () => attempt("health", () => client.get("/health")),
    refresh,
  };
  const lane = async (kind: string) => {
    while (!stopped) {
      await work[kind]?.();
      await delay(pauseMs);
    }
  };
  const running = kinds.flatMap((kind) => Array.from({ length: lanes }, () => lane(kind)));
  return {
    counts,
    acknowledged,
    faults,
    lostSessions: () => lostSessions,
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
  };
}
