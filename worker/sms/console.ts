import type { WorkerConfig } from "../../config/config.ts";
import type { Provider } from "./provider.ts";

/** Creates the provider that prints messages, for development. In production it refuses them: standard output is stored there. */
export function createConsoleProvider(
  { production }: Pick<WorkerConfig, "production">,
  print = console.log,
): Provider {
  return ({ recipient, body }) => {
    if (production)
      return Promise.resolve({ outcome: "refused", reason: "console is refused in production" });
    print(`SMS to ${recipient}: ${body}`);
    return Promise.resolve({ outcome: "sent" });
  };
}
