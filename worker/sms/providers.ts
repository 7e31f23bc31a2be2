import { setTimeout as delay } from "node:timers/promises";
import type { WorkerConfig } from "../../config/config.ts";
import type { PrintedMessage } from "../../runtime/printed_messages.ts";
import type { AttemptResult, Message, ProviderInUse } from "../message.ts";
import { createSmtpProvider } from "../email/smtp.ts";
import { createAwsSnsProvider } from "./aws_sns.ts";
import { createBreakers } from "./breakers.ts";
import { createConsoleProvider } from "./console.ts";
import { createHttpProvider } from "./http.ts";
import type { Provider } from "./provider.ts";
import { createTwilioProvider } from "./twilio.ts";
import { createVonageProvider } from "./vonage.ts";

export interface Providers {
  /** The providers that OTP_PROVIDER may name. */
  names: string[];
  /** The providers for which this worker's environment has what they need, in alphabetical order. */
  configured: string[];
  /** Sends with the provider that the message names, within its timeout_ms. SQL chose it when it created the code. */
  send: (message: Message) => Promise<AttemptResult>;
  /** The providers that should not be tried now. */
  unavailable: () => string[];
  /** Returns why this worker cannot send with a provider; undefined if its settings allow it. */
  unusableReason: (provider: ProviderInUse) => string | undefined;
}

/** To add a vendor: add a file to this folder, a line here, its name to private.provider_fault (a test compares the two
 * lists), and its options to private.provider_options_fault. */
export function createProviders(config: WorkerConfig, onPrinted?: (message: PrintedMessage) => void): Providers {
  const smsProviders = new Map<string, Provider>([
    ["console", createConsoleProvider(config, onPrinted)],
    ["http", createHttpProvider(config)],
    ["twilio", createTwilioProvider(config)],
    ["aws-sns", createAwsSnsProvider(config)],
    ["vonage", createVonageProvider(config)],
  ]);
  const providers = new Map([...smsProviders, ["smtp", createSmtpProvider(config)]]);
  const breakers = createBreakers([...providers.keys()]);

  async function sendOnce(message: Message): Promise<AttemptResult> {
    try {
      const provider = providers.get(message.provider);
      if (!provider) return { outcome: "declined", reason: "this worker has no such provider" };
      const reason = provider.unusableReason(message.options);
      return reason === undefined ? await provider.send(message) : { outcome: "declined", reason };
    } catch (error) {
      // A bug in the provider: the vendor may or may not have received the message.
      return { outcome: "uncertain", reason: (error as Error).name };
    }
  }

  async function sendInTime(message: Message): Promise<AttemptResult> {
    const answered = new AbortController();
    const late: AttemptResult = { outcome: "uncertain", reason: "TimeoutError" };
    const timeout = delay(message.timeout_ms, late, { signal: answered.signal }).catch(() => late);
    const result = await Promise.race([sendOnce(message), timeout]);
    answered.abort();
    return result;
  }

  return {
    names: [...smsProviders.keys()],
    configured: [...providers]
      .filter(([, provider]) => provider.unusableReason() === undefined)
      .map(([name]) => name)
      .sort(),
    unavailable: breakers.unavailable,
    send: (message) => breakers.run(message.provider, () => sendInTime(message)),
    unusableReason: ({ name, options }) => {
      const found = providers.get(name);
      return found ? found.unusableReason(options) : `this worker has no provider ${name}`;
    },
  };
}
