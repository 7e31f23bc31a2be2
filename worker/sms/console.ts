import type { WorkerConfig } from "../../config/config.ts";
import type { Provider } from "./provider.ts";

/** Prints the message to the worker's output: for development, and refused in production, where outputs are kept. */
export function consoleProvider(
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
