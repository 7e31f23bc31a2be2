import type { WorkerConfig } from "../../config/config.ts";
import type { Message, ProviderInUse } from "../delivery.ts";
import { createAwsSnsProvider } from "./aws_sns.ts";
import { createConsoleProvider } from "./console.ts";
import { createHttpProvider } from "./http.ts";
import type { Provider, SendResult } from "./provider.ts";
import { createTwilioProvider } from "./twilio.ts";
import { createVonageProvider } from "./vonage.ts";

export interface Providers {
  /** The providers that OTP_PROVIDER may name. */
  names: string[];
  /** Sends with the provider that the message names. SQL read OTP_PROVIDER when it created the code. */
  send: (message: Message) => Promise<SendResult>;
  /** Returns why this worker cannot send with a provider; undefined if its settings allow it. */
  unusableReason: (provider: ProviderInUse | undefined) => string | undefined;
}

/** To add a vendor: add a file to this folder, a line here, and its name to private.provider_fault; a test compares the two lists. */
export function createProviders(config: WorkerConfig): Providers {
  const providers = new Map<string, Provider>([
    ["console", createConsoleProvider(config)],
    ["http", createHttpProvider(config)],
    ["twilio", createTwilioProvider(config)],
    ["aws-sns", createAwsSnsProvider(config)],
    ["vonage", createVonageProvider(config)],
  ]);
  const unusableReason = (provider: ProviderInUse | undefined) => {
    if (!provider) return "no provider is set";
    const found = providers.get(provider.name);
    return found ? found.unusableReason(provider.options) : `this worker has no provider ${provider.name}`;
  };
  return {
    names: [...providers.keys()],
    unusableReason,
    async send(message) {
      try {
        const provider = providers.get(message.provider);
        if (!provider) return { outcome: "refused", reason: "this worker has no such provider" };
        const reason = provider.unusableReason(message.options);
        return reason === undefined ? await provider.send(message) : { outcome: "refused", reason };
      } catch (error) {
        // A bug in the provider: the vendor may or may not have received the message.
        return { outcome: "uncertain", reason: (error as Error).name };
      }
    },
  };
}
