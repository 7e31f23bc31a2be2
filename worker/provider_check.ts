import type { Log } from "../runtime/log.ts";
import { createThrottledWarning } from "../runtime/throttled_warning.ts";
import type { Delivery, ProviderInUse } from "./delivery.ts";
import type { Providers } from "./sms/providers.ts";

/** Milliseconds between two warnings with the same reason. */
const warningIntervalMs = 60_000;

export interface ProviderCheck {
  /** Whether this worker can send with the provider (undefined: OTP_PROVIDER is not set). If not, logs the reason. */
  isUsable: (provider: ProviderInUse | undefined) => boolean;
  /** The same for the stored OTP_PROVIDER. Rejects if the database cannot be reached. */
  canSend: () => Promise<boolean>;
}

interface Options {
  delivery: Pick<Delivery, "providerInUse">;
  providers: Pick<Providers, "unusableReason">;
  log: Log;
  /** Returns monotonic time in milliseconds. */
  now?: () => number;
}

/**
 * Creates the check that tells operators why no SMS is sent: OTP_PROVIDER can be changed at any time to a provider that this
 * worker cannot use. It warns once per reason and minute.
 */
export function createProviderCheck({ delivery, providers, log, now }: Options): ProviderCheck {
  const warn = createThrottledWarning(
    log,
    "No SMS is sent: set OTP_PROVIDER in settings.configuration to a provider that this worker can use, or change the worker's environment",
    warningIntervalMs,
    now,
  );
  const isUsable = (provider: ProviderInUse | undefined): boolean => {
    const reason = providers.unusableReason(provider);
    if (reason !== undefined) warn(reason, reason);
    return reason === undefined;
  };
  return { isUsable, canSend: async () => isUsable(await delivery.providerInUse()) };
}
