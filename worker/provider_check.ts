import type { Log } from "../runtime/log.ts";
import { createThrottledWarning } from "../runtime/throttled_warning.ts";
import type { Delivery, ProviderInUse } from "./delivery.ts";
import type { Providers } from "./sms/providers.ts";

/** Milliseconds between two warnings of one reason. */
const warnEveryMs = 60_000;

export interface ProviderCheck {
  /** Whether this worker can send by a provider; logs why not, once per reason and minute. undefined: none is set. */
  isUsable: (provider: ProviderInUse | undefined) => boolean;
  /** The same for the stored provider. Rejects when the database cannot be asked. */
  canSend: () => Promise<boolean>;
}

interface Options {
  delivery: Pick<Delivery, "providerInUse">;
  providers: Pick<Providers, "fault">;
  log: Log;
  /** Milliseconds on a clock that never goes back. */
  now?: () => number;
}

/** Tells operators why no SMS is sent: the setting OTP_PROVIDER may be changed at any time to one that this worker cannot use. */
export function createProviderCheck({ delivery, providers, log, now }: Options): ProviderCheck {
  const warn = createThrottledWarning(
    log,
    "No SMS is sent: set OTP_PROVIDER in settings.configuration to a provider that this worker can use, or change the worker's environment",
    warnEveryMs,
    now,
  );
  const isUsable = (provider: ProviderInUse | undefined): boolean => {
    const fault = providers.fault(provider);
    if (fault !== undefined) warn(fault, fault);
    return fault === undefined;
  };
  return { isUsable, canSend: async () => isUsable(await delivery.providerInUse()) };
}
