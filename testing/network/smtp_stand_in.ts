import type { SMTPServerOptions } from "smtp-server";
import { onTestFinished } from "vitest";
import { listenForMail, type Smtp } from "./smtp_server.ts";

/** As listenForMail; the server is stopped when the test ends. */
export async function startSmtp(options: SMTPServerOptions = {}, address = "127.0.0.1"): Promise<Smtp> {
  const { stop, ...smtp } = await listenForMail(options, address);
  onTestFinished(stop);
  return smtp;
}
