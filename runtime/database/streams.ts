import { isIP, Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import type { DatabaseAddress } from "./address.ts";
import { isSocket, type DatabaseHost } from "./tls.ts";

export interface Attempt {
  host: DatabaseHost;
  tls: boolean;
}

/** The ways to log in, in libpq's order. */
export const attemptsOf = ({ hosts, tlsMode }: DatabaseAddress): Attempt[] =>
  hosts.flatMap((host) => {
    const [plain, encrypted] = [
      { host, tls: false },
      { host, tls: true },
    ];
    if (tlsMode === "disable" || isSocket(host.host)) return [plain];
    if (tlsMode === "allow") return [plain, encrypted];
    return tlsMode === "prefer" ? [encrypted, plain] : [encrypted];
  });

export function openStream({ host, port }: DatabaseHost): Socket {
  const socket = new Socket();
  socket.setNoDelay(true);
  return isSocket(host) ? socket.connect(`${host}/.s.PGSQL.${port}`) : socket.connect(port, host);
}

/** TLS over a stream whose server has agreed to it, or expects it. */
export const encryptedStream = (socket: Socket, host: string, { tls, isDirectTls }: DatabaseAddress): TLSSocket =>
  connectTls({
    socket,
    host,
    ...tls,
    // A name only, RFC 6066.
    ...(isIP(host) === 0 && { servername: host }),
    ...(isDirectTls && { ALPNProtocols: ["postgresql"] }),
  });
