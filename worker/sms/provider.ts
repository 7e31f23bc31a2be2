import type { Message, Outcome } from "../delivery.ts";

export interface SendResult {
  outcome: Outcome;
  /** For the log. Must not contain the message, nor text of the vendor's response, which may repeat the message. */
  reason?: string;
}

/** Sends a message with one vendor. Resolves within a time-out of its own and does not reject when the vendor fails. */
export type Provider = (message: Message) => Promise<SendResult>;
