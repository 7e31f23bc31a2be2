import type { WorkerConfig } from "../../config/config.ts";
import type { ProviderInUse } from "../delivery.ts";
import { createConsoleProvider } from "./console.ts";
import { createHttpProvider, httpProblem } from "./http.ts";
import type { Provider } from "./provider.ts";

export interface Providers {
  /** The providers that OTP_PROVIDER may name. */
  names: string[];
  /** Sends with the provider that the message names. SQL read OTP_PROVIDER when it created the code. */
  send: Provider;
  /** Returns why this worker cannot send with a provider; undefined if its settings allow it. */
  unusableReason: (provider: ProviderInUse | undefined) => string | undefined;
}

/** To add a vendor: add a file to this folder, a line here, and its name to private.provider_fault; a test compares the two lists. */
export function createProviders(config: WorkerConfig): Providers {
  const providers = new Map<string, Provider>([
    ["console", createConsoleProvider(config)],
    ["http", createHttpProvider(config)],
  ]);
  return {
    names: [...providers.keys()],
    unusableReason(provider) {
      if (!provider) return "no provider is set";
      const { name, options } = provider;
      if (!providers.has(name)) return `this worker has no provider ${name}`;
      if (name === "http") return httpProblem(options, config);
      return name === "console" && config.production
        ? "the console provider is refused in production"
        : undefined;
    },
    async send(message) {
      const provider = providers.get(message.provider);
      if (!provider) return { outcome: "refused", reason: "this worker has no such provider" };
      try {
        return await provider(message);
      } catch (error) {
        // A bug in the provider: the vendor may or may not have received the message.
        return { outcome: "uncertain", reason: (error as Error).name };
      }
    },
  };
}
