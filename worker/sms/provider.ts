import type { AttemptResult, Message } from "../message.ts";

/** The options of a provider: the member of OTP_PROVIDER that has its name. */
export type ProviderOptions = Record<string, unknown>;

/** Sends messages with one vendor. */
export interface Provider {
  /**
   * Returns why this worker cannot send with these options; undefined if it can. Without options: why it could send
   * with none, because of what its environment lacks. The text contains no secret.
   */
  unusableReason: (options?: ProviderOptions) => string | undefined;
  /** Called only while the provider is usable. It has a time-out, and does not reject when the vendor fails. */
  send: (message: Message) => Promise<AttemptResult>;
}
