import type { WorkerConfig } from "../../config/config.ts";
import type { Provider } from "./provider.ts";

/** Creates the provider that prints messages, for development. Not usable in production: standard output is stored there. */
export function createConsoleProvider(
  { production }: Pick<WorkerConfig, "production">,
  print = console.log,
): Provider {
  return {
    unusableReason: () => (production ? "the console provider is refused in production" : undefined),
    send({ recipient, body }) {
      print(`SMS to ${recipient}: ${body}`);
      return Promise.resolve({ outcome: "sent" });
    },
  };
}
