import { setTimeout as delay } from "node:timers/promises";
import type { Answer, Client } from "../../testing/rest_client.ts";

/** A request and its answer. Each has a phone of its own, and an account. Times are of Date.now(). */
export interface SentRequest {
  kind: "send" | "reset";
  phone: string;
  startedAt: number;
  endedAt: number;
  /** 0: no response. */
  status: number;
  code: string | undefined;
}

export interface Load {
  requests: SentRequest[];
  /** Unexpected answers: refusals, and those that do not fit the OpenAPI document. */
  faults: Set<string>;
  /** Makes no more requests, and resolves when the last one is answered. */
  stop: () => Promise<void>;
}

export const phoneOf = (number: number): string => `+1212${2_000_000 + number}`;

/** A new client address for each phone: one address that sends so much would be refused. */
export const addressOf = (phone: string): Record<string, string> => {
  const number = Number(phone.slice(5));
  return { "x-forwarded-for": `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}` };
};

/** Starts clients that make `rate` requests a second, in turn POST /otp/send and POST /auth/reset-password. */
export function startLoad(client: Client, rate: number): Load {
  const requests: SentRequest[] = [];
  const faults = new Set<string>();
  let isStopped = false;

  const requestOf: Record<SentRequest["kind"], (phone: string) => Promise<Answer>> = {
    // Its code can be verified for an account without a registration.
    send: (phone) => client.sendOtp(phone, "PASSWORD_RESET", addressOf(phone)),
    reset: (phone) => client.post("/auth/reset-password", { phone }, addressOf(phone)),
  };

  async function make(number: number): Promise<void> {
    const kind = number % 2 === 0 ? "send" : "reset";
    const [phone, startedAt] = [phoneOf(number), Date.now()];
    const { status, code } = await requestOf[kind](phone).catch((error: unknown) => {
      // fetch fails with a TypeError when the connection is refused or lost.
      if (!(error instanceof TypeError)) faults.add((error as Error).message);
      return { status: 0, code: undefined };
    });
    if (status >= 400 && status < 500) faults.add(`${kind} ${status} ${code}`);
    requests.push({ kind, phone, startedAt, endedAt: Date.now(), status, code });
  }

  async function run(): Promise<void> {
    const running = new Set<Promise<void>>();
    for (let number = 0; !isStopped; number++) {
      const request = make(number);
      running.add(request);
      void request.finally(() => running.delete(request));
      await delay(1_000 / rate);
    }
    await Promise.all(running);
  }

  const running = run();
  return {
    requests,
    faults,
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
