import { signal } from "@preact/signals";
import type { DemoError } from "../problems.ts";

export interface StepUpRequest {
  /** Whether it takes the second factor; else the password or a code by SMS will do. */
  needsFactor: boolean;
  onEnd: (isDone: boolean) => void;
}

/** What the dialog asks for. */
export const stepUpRequest = signal<StepUpRequest | undefined>(undefined);

/** Whether the service wants to know first that it is still the user. */
export const needsStepUp = (error: DemoError | undefined): boolean =>
  error?.code === "INVALID_REQUEST" && error.details.reason === "step_up_required";

/** Opens the dialog, and resolves with whether the person has confirmed who they are. */
export function askToStepUp(error: DemoError | undefined): Promise<boolean> {
  const { acr_values } = (error && "details" in error ? error.details : {}) as { acr_values?: string };
  return new Promise((resolve) => {
    stepUpRequest.value = {
      needsFactor: acr_values === "aal2",
      onEnd(isDone) {
        stepUpRequest.value = undefined;
        resolve(isDone);
      },
    };
  });
}
