import type { WorkerConfig } from "../../config/config.ts";
import type { ProviderInUse } from "../delivery.ts";
import { consoleProvider } from "./console.ts";
import { httpFault, httpProvider } from "./http.ts";
import type { Provider } from "./provider.ts";

export interface Providers {
  /** What OTP_PROVIDER may name. */
  names: string[];
  /** Sends by the provider that the message names: the stored setting was read when the code was made. */
  send: Provider;
  /** Why this worker cannot send by a provider; undefined when it can, as far as the settings tell. */
  fault: (provider: ProviderInUse | undefined) => string | undefined;
}

/** To add a vendor: a file beside this one, a line here, and its name in private.provider_fault; a test holds the two lists equal. */
export function makeProviders(config: WorkerConfig): Providers {
  const providers = new Map<string, Provider>([
    ["console", consoleProvider(config)],
    ["http", httpProvider(config)],
  ]);
  return {
    names: [...providers.keys()],
    fault(provider) {
      if (!provider) return "no provider is set";
      const { name, options } = provider;
      if (!providers.has(name)) return `this worker does not know the provider ${name}`;
      if (name === "http") return httpFault(options, config);
      return name === "console" && config.production
        ? "the console provider is refused in production"
        : undefined;
    },
    async send(message) {
      const provider = providers.get(message.provider);
      if (!provider) return { outcome: "refused", reason: "this worker does not know the provider" };
      try {
        return await provider(message);
      } catch (error) {
        // A fault of ours: the vendor may or may not have been reached.
        return { outcome: "uncertain", reason: (error as Error).name };
      }
    },
  };
}
