import { EventEmitter, once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Sms {
  to: string;
  body: string;
  id: string;
  headers: IncomingHttpHeaders;
}

/** How the gateway answers: a status, or silence. */
export type Behavior = number | "silent";

export interface SmsGateway {
  url: string;
  received: Sms[];
  behave: (behavior: Behavior) => void;
  /** Answers, late, whom silence has left without an answer. */
  answerLate: (status: number) => void;
  /** Resolves with the next SMS to that phone, or to any, that was not taken before. */
  next: (to?: string) => Promise<Sms>;
  /** The code of the next SMS to that phone. */
  nextCode: (to: string) => Promise<string>;
  stop: () => Promise<void>;
}

/** Stands in for an SMS vendor, over real HTTP. */
export async function startSmsGateway(port = 0): Promise<SmsGateway> {
  const received: Sms[] = [];
  const taken = new Set<Sms>();
  const unanswered: ServerResponse[] = [];
  let behavior: Behavior = 200;
  const arrivals = new EventEmitter().setMaxListeners(0);

  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      received.push({ ...(JSON.parse(text) as Omit<Sms, "headers">), headers: request.headers });
      arrivals.emit("sms");
      if (behavior === "silent") unanswered.push(response);
      else response.writeHead(behavior).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));

  const next = async (to?: string): Promise<Sms> => {
    for (;;) {
      const sms = received.find(
        (candidate) => !taken.has(candidate) && (to === undefined || candidate.to === to),
      );
      if (sms) {
        taken.add(sms);
        return sms;
      }
      await once(arrivals, "sms");
    }
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/send`,
    received,
    behave: (changed) => (behavior = changed),
    answerLate(status) {
      for (const response of unanswered.splice(0)) response.writeHead(status).end("{}");
    },
    next,
    nextCode: async (to) => /[0-9]{4,10}/.exec((await next(to)).body)![0],
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
