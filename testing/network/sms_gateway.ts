import { EventEmitter, once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Sms {
  to: string;
  body: string;
  id: string;
  headers: IncomingHttpHeaders;
  /** Date.now() when it was received, and when it was answered; undefined: the sender was gone before that. */
  times: { receivedAt: number; answeredAt: number | undefined };
}

/** The status that the gateway responds with; "silent": it does not respond. */
export type Behavior = number | "silent";

export interface SmsGateway {
  url: string;
  received: Sms[];
  behave: (behavior: Behavior) => void;
  /** Responds to every request that is still without a response. */
  answerLate: (status: number) => void;
  /** Resolves with the next SMS to that phone (default: to any phone) that no earlier call has returned. */
  next: (to?: string) => Promise<Sms>;
  /** Resolves with the code in the next SMS to that phone. */
  nextCode: (to: string) => Promise<string>;
  /** Returns six digits that no SMS has contained: a wrong code for every phone. */
  unsentCode: () => string;
  stop: () => Promise<void>;
}

/**
 * Starts an HTTP server that receives SMS as a vendor does.
 * @param port 0: a free port
 * @param latencyMs returns how long the next answer takes
 */
export async function startSmsGateway(port = 0, latencyMs?: () => number): Promise<SmsGateway> {
  const received: Sms[] = [];
  const returned = new Set<Sms>();
  const pendingResponses: ServerResponse[] = [];
  let behavior: Behavior = 200;
  const arrivals = new EventEmitter().setMaxListeners(0);

  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      const sent = JSON.parse(text) as Pick<Sms, "to" | "body" | "id">;
      const times = { receivedAt: Date.now(), answeredAt: undefined };
      const sms: Sms = { ...sent, headers: request.headers, times };
      received.push(sms);
      arrivals.emit("sms");
      const answer = () => {
        if (response.destroyed) return;
        sms.times.answeredAt = Date.now();
        response.writeHead(Number(behavior)).end("{}");
      };
      if (behavior === "silent") pendingResponses.push(response);
      else if (latencyMs) setTimeout(answer, latencyMs());
      else answer();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));

  const next = async (to?: string): Promise<Sms> => {
    for (;;) {
      const sms = received.find((candidate) => !returned.has(candidate) && (to === undefined || candidate.to === to));
      if (sms) {
        returned.add(sms);
        return sms;
      }
      await once(arrivals, "sms");
    }
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/send`,
    received,
    behave: (newBehavior) => (behavior = newBehavior),
    answerLate(status) {
      for (const response of pendingResponses.splice(0)) response.writeHead(status).end("{}");
    },
    next,
    nextCode: async (to) => /[0-9]{4,10}/.exec((await next(to)).body)![0],
    unsentCode() {
      let code = 0;
      const text = () => String(code).padStart(6, "0");
      while (received.some(({ body }) => body.includes(text()))) code++;
      return text();
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
