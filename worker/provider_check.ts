import type { Log } from "../runtime/log.ts";
import { createThrottledWarning } from "../runtime/throttled_warning.ts";
import type { Delivery } from "./delivery.ts";
import type { ProviderInUse } from "./message.ts";
import type { Providers } from "./sms/providers.ts";

/** Milliseconds between two warnings with the same reason. */
const warningIntervalMs = 60_000;

export interface ProviderCheck {
  /** Whether this worker can send with the provider. If not, logs the reason. */
  isUsable: (provider: ProviderInUse) => boolean;
  /**
   * Whether this worker can send SMS with any provider of the stored OTP_PROVIDER. Warns of email, too. Rejects if the
   * database cannot be reached.
   */
  canSend: () => Promise<boolean>;
}

interface Options {
  delivery: Pick<Delivery, "providersInUse">;
  providers: Pick<Providers, "unusableReason">;
  log: Log;
  /** Returns monotonic time in milliseconds. */
  now?: () => number;
}

/**
 * Creates the check that tells operators why no SMS is sent: OTP_PROVIDER can be changed at any time to a provider that
 * this worker cannot use. It warns once per reason and minute.
 */
export function createProviderCheck({ delivery, providers, log, now }: Options): ProviderCheck {
  const warn = createThrottledWarning(
    log,
    "A provider cannot send: set OTP_PROVIDER in settings.configuration to providers that this worker can use, or change the worker's environment",
    warningIntervalMs,
    now,
  );
  const isUsable = (provider: ProviderInUse): boolean => {
    const reason = providers.unusableReason(provider);
    if (reason !== undefined) warn(`${provider.name}: ${reason}`, reason);
    return reason === undefined;
  };
  return {
    isUsable,
    async canSend() {
      const inUse = await delivery.providersInUse();
      if (inUse.length === 0) warn("", "no provider is set");
      // Checks every provider, not only the first usable one: a fallback must work when it is needed.
      return inUse.filter(isUsable).some(({ name }) => name !== "smtp");
    },
  };
}
