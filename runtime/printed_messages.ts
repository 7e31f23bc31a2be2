import { LRUCache } from "lru-cache";

/** An SMS that was printed instead of sent. */
export interface PrintedMessage {
  recipient: string;
  body: string;
}

/**
 * Messages that the console provider of this process has printed, for the page /demo. They are kept in memory for ten
 * minutes.
 */
export interface PrintedMessages {
  add: (message: PrintedMessage) => void;
  /** The texts to one phone, oldest first. */
  textsTo: (phone: string) => string[];
}

const maxMessages = 100;
const ttlMs = 600_000;

export function createPrintedMessages(): PrintedMessages {
  // ttlAutopurge: expired messages are removed by a timer, not only by the next access.
  const messages = new LRUCache<number, PrintedMessage>({ max: maxMessages, ttl: ttlMs, ttlAutopurge: true });
  let count = 0;
  return {
    add({ recipient, body }) {
      messages.set(count++, { recipient, body });
    },
    textsTo: (phone) =>
      [...messages.rvalues()].flatMap((message) => (message?.recipient === phone ? [message.body] : [])),
  };
}
