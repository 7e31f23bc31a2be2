import { signal } from "@preact/signals";
import type { DemoError } from "../problems.ts";

export interface StepUpRequest {
  /** The kinds of second factor, of which it takes one; none: the password or a code by SMS will do. */
  factors: readonly ("totp" | "passkey")[];
  onEnd: (isDone: boolean) => void;
}

/** What the dialog asks for. */
export const stepUpRequest = signal<StepUpRequest | undefined>(undefined);

/** Whether the service wants to know first that it is still the user. */
export const needsStepUp = (error: DemoError | undefined): boolean =>
  error?.code === "INVALID_REQUEST" && error.details.reason === "step_up_required";

/** Opens the dialog, and resolves with whether the person has confirmed who they are. */
export function askToStepUp(error: DemoError | undefined): Promise<boolean> {
  const details = error && "details" in error ? error.details : {};
  const { factors = [] } = details as Partial<Pick<StepUpRequest, "factors">>;
  return new Promise((resolve) => {
    stepUpRequest.value = {
      factors,
      onEnd(isDone) {
        stepUpRequest.value = undefined;
        resolve(isDone);
      },
    };
  });
}
