import type { Message, Outcome } from "../delivery.ts";

export interface Sent {
  outcome: Outcome;
  /** For the log: never the message, nor anything of the vendor's answer that may repeat it. */
  reason?: string;
}

/** A vendor. Must settle within its own deadline and must not throw for what a vendor may do. */
export type Provider = (message: Message) => Promise<Sent>;
