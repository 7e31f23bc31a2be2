import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface Sms {
  to: string;
  body: string;
  id: string;
  headers: IncomingHttpHeaders;
}

/** How the gateway answers: a status, or silence. */
export type Behaviour = number | "silent";

export interface SmsGateway {
  url: string;
  received: Sms[];
  behave: (behaviour: Behaviour) => void;
  /** Resolves with the next SMS that is not yet taken; they are taken in the order of their arrival. */
  next: () => Promise<Sms>;
  /** The code of the next SMS. */
  nextCode: () => Promise<string>;
  stop: () => Promise<void>;
}

/** Stands in for an SMS vendor, over real HTTP. */
export async function startSmsGateway(port = 0): Promise<SmsGateway> {
  const received: Sms[] = [];
  let taken = 0;
  let behaviour: Behaviour = 200;
  let wake = () => undefined as unknown;

  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      received.push({ ...(JSON.parse(text) as Omit<Sms, "headers">), headers: request.headers });
      wake();
      if (behaviour !== "silent") response.writeHead(behaviour).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));

  const next = async (): Promise<Sms> => {
    while (received.length <= taken) await new Promise((resolve) => (wake = () => resolve(undefined)));
    return received[taken++]!;
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/send`,
    received,
    behave: (changed) => (behaviour = changed),
    next,
    nextCode: async () => /[0-9]{4,10}/.exec((await next()).body)![0],
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
