import { useState, type SubmitEvent } from "react";
import { latchkey } from "./use_session.ts";

/** Logs in by code: first the phone, then what the SMS says. */
export function SignIn() {
  const [phone, setPhone] = useState("");
  const [isSent, setSent] = useState(false);
  const [message, setMessage] = useState("");

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const { error } = isSent ? await logIn(event.currentTarget) : await sendCode();
    if (error?.code === "RATE_LIMIT_EXCEEDED")
      setMessage(`Too many attempts. Try again in ${error.details.retryAfterSeconds} seconds.`);
    else setMessage(error?.message ?? "");
    if (!error) setSent(true);
  }
  const sendCode = () =>
    latchkey().POST("/otp/send", {
      body: { input: { identifier: phone, identifierType: "PHONE", purpose: "LOGIN" } },
    });
  const logIn = (form: HTMLFormElement) =>
    latchkey().POST("/auth/login/otp", { body: { phone, otp: String(new FormData(form).get("otp")) } });

  return (
    <form onSubmit={(event) => void submit(event)}>
      <label>
        Phone{" "}
        <input
          type="tel"
          autoComplete="tel"
          required
          value={phone}
          disabled={isSent}
          onChange={(event) => setPhone(event.target.value)}
        />
      </label>
      {isSent && (
        <label>
          Code <input name="otp" inputMode="numeric" autoComplete="one-time-code" required autoFocus />
        </label>
      )}
      <button>{isSent ? "Sign in" : "Send me a code"}</button>
      <p role="alert">{message}</p>
    </form>
  );
}
