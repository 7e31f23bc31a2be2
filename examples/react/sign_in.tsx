import type { SentCode } from "@latchkey/client";
import { useState, type SubmitEvent } from "react";
import { latchkey } from "./use_session.ts";

/** Signs in by code, with or without an account: first the phone, then what the SMS says. */
export function SignIn() {
  const [phone, setPhone] = useState("");
  const [sent, setSent] = useState<SentCode>();
  const [message, setMessage] = useState("");

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const otp = String(new FormData(event.currentTarget).get("otp"));
    const { error } = sent ? await sent.enter(otp) : await send();
    if (error?.code === "RATE_LIMIT_EXCEEDED")
      setMessage(`Too many attempts. Try again in ${error.details.retryAfterSeconds} seconds.`);
    else setMessage(error?.message ?? "");
  }
  async function send() {
    const result = await latchkey().signInWithCode(phone);
    setSent(result.data);
    return result;
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <label>
        Phone{" "}
        <input
          type="tel"
          autoComplete="tel"
          required
          value={phone}
          disabled={sent !== undefined}
          onChange={(event) => setPhone(event.target.value)}
        />
      </label>
      {sent && (
        <label>
          Code <input name="otp" inputMode="numeric" autoComplete="one-time-code" required autoFocus />
        </label>
      )}
      <button>{sent ? "Sign in" : "Send me a code"}</button>
      <p role="alert">{message}</p>
    </form>
  );
}
