import type { WorkerConfig } from "../../config/config.ts";
import type { PrintedMessage } from "../../runtime/printed_messages.ts";
import type { Provider } from "./provider.ts";

/**
 * Creates the provider that prints messages, for development. Not usable in production, where standard output is
 * stored.
 * @param onPrinted called with each message, for the page /demo
 */
export function createConsoleProvider(
  { production }: Pick<WorkerConfig, "production">,
  onPrinted: (message: PrintedMessage) => void = () => undefined,
  print = console.log,
): Provider {
  return {
    unusableReason: () => (production ? "the console provider is refused in production" : undefined),
    send({ recipient, body }) {
      print(`SMS to ${recipient}: ${body}`);
      onPrinted({ recipient, body });
      return Promise.resolve({ outcome: "sent" });
    },
  };
}
