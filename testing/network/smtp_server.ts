import { once } from "node:events";
import { isIPv6, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export interface Mail {
  from: string;
  to: string[];
  content: string;
  user: string | undefined;
}

export interface Smtp {
  host: string;
  mails: Mail[];
}

/** Starts an SMTP server, whose only password is "p@ss". The caller stops it. */
export async function listenForMail(
  options: SMTPServerOptions = {},
  address = "127.0.0.1",
): Promise<Smtp & { stop: () => Promise<void> }> {
  const mails: Mail[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    closeTimeout: 100,
    logger: false,
    onAuth: ({ username, password }, _session, callback) =>
      password === "p@ss" ? callback(null, { user: username }) : callback(new Error("wrong password")),
    onData: (stream, { envelope, user }, callback) =>
      void text(stream).then((content) => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : "";
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), content, user: user as never });
        callback();
      }),
    ...options,
  });
  smtp.on("error", () => undefined);
  const server = smtp.listen(0, address);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    host: `${isIPv6(address) ? `[${address}]` : address}:${port}`,
    mails,
    stop: () => new Promise((resolve) => smtp.close(() => resolve())),
  };
}
