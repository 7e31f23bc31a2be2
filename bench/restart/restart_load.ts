import { setTimeout as delay } from "node:timers/promises";
import { tokensOf, type Answer, type Client } from "../../testing/service/rest_client.ts";
import { nextStranger } from "../parts/lean_client.ts";

const pauseMs = 20;

interface Counts {
  /** Successful. */
  done: number;
  /** Status 429 or 503: the client must retry later. */
  refused: number;
  /** Status 502: the response says that the SMS was not sent. */
  unsent: number;
  /** No response, or one that does not say whether the request was executed. */
  lost: number;
}

export type Kind = "send" | "login" | "health" | "refresh";

export interface Load {
  counts: Partial<Record<Kind, Counts>>;
  /** Phones whose sends were successful. */
  acknowledged: Set<string>;
  /** Number of sessions whose refresh was refused although they were not ended. */
  lostSessions: () => number;
  print: () => void;
  stop: () => Promise<void>;
}

/** Starts `lanes` clients of each kind, which repeat their request until stopped. */
export function startRestartLoad(client: Client, account: object, kinds: Kind[], lanes: number): Load {
  const counts: Load["counts"] = {};
  const acknowledged = new Set<string>();
  const faults = new Set<string>();
  const stopping = new AbortController();
  let lostSessions = 0;

  async function attempt(kind: Kind, request: () => Promise<Answer>): Promise<Answer | undefined> {
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

  async function lane(kind: Kind): Promise<void> {
    let token: string | undefined;
    const steps: Record<Kind, () => Promise<unknown>> = {
      async send() {
        const { phone } = nextStranger();
        if ((await attempt("send", () => client.sendOtp(phone)))?.status === 200) acknowledged.add(phone);
      },
      login: () => attempt("login", () => client.post("/auth/login", account)),
      health: () => attempt("health", () => client.get("/health")),
      async refresh() {
        const current = token;
        const answer = await attempt("refresh", () =>
          current === undefined ? client.post("/auth/session/guest") : client.refresh(current),
        );
        if (answer?.status === 200) token = tokensOf(answer).refresh_token;
        if (answer?.status !== 401) return;
        lostSessions++;
        token = undefined;
      },
    };
    while (!stopping.signal.aborted) {
      await steps[kind]();
      await delay(pauseMs);
    }
  }
  const running = kinds.flatMap((kind) => Array.from({ length: lanes }, () => lane(kind)));
  return {
    counts,
    acknowledged,
    lostSessions: () => lostSessions,
    print() {
      for (const [kind, { done, refused, unsent, lost }] of Object.entries(counts))
        console.log(
          `  ${kind}: ${done} done, ${refused} refused with Retry-After, ${unsent} reported as unsent, ${lost} lost`,
        );
      if (faults.size > 0) console.log(`  faults: ${[...faults].join("; ")}`);
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
