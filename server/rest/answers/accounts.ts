import { z } from "zod";
import type { Account, AccountExport, Deletion, Otp, PhoneChange, ResetRequest } from "../../database/api_answers.ts";
import { exportedAccount } from "../exported_account.ts";
import { id, time, toTime, toTimeOrNull } from "./answer_fields.ts";
import { presenter, type Presenter } from "./presenter.ts";

/** The id is for the log: nobody may see whether anything is sent. */
export const requestedReset: Presenter<ResetRequest> = { schema: undefined, present: () => undefined };

export const registration = presenter(
  "Registration",
  z.object({ userId: id.meta({ description: "Names this registration at POST /auth/register/verify." }) }),
  ({ user_id }: Account) => ({ userId: user_id }),
);

const otpSent = "One-time password sent.";
export const sentOtp = presenter(
  "SentOtp",
  z.object({
    message: z.string().meta({ examples: [otpSent], description: "For people." }),
    otpId: id.meta({ description: "Names the code in logs and in GraphQL's platform_otp_transaction." }),
    expiresAt: time.meta({ description: "When the code ends." }),
  }),
  ({ otp_id, expires_at }: Otp) => ({
    message: otpSent,
    otpId: otp_id,
    expiresAt: toTime(expires_at),
  }),
);

export const phoneChange = presenter(
  "PhoneChange",
  z.object({
    phone_change_due_at: time.nullable().meta({
      examples: [null],
      description:
        "When the phone changes, because the code was requested without the password (PHONE_RECOVERY_BY_EMAIL); null: it has changed.",
    }),
  }),
  ({ phone_change_due_at }: PhoneChange) => ({ phone_change_due_at: toTimeOrNull(phone_change_due_at) }),
);

export const deletion = presenter(
  "AccountDeletion",
  z.object({ deletion_due_at: time.meta({ description: "Until then a login restores the account." }) }),
  ({ deletion_due_at }: Deletion) => ({ deletion_due_at: toTime(deletion_due_at) }),
);

export const accountExport = presenter("AccountExport", exportedAccount, ({ export: data }: AccountExport) =>
  exportedAccount.parse(data),
);
