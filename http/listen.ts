import type { Server } from "node:http";
import { OperatorError } from "../runtime/operator_error.ts";

export interface Address {
  PORT: number;
  /** Undefined: every interface. */
  HOST?: string | undefined;
  /** What the names of the two variables begin with; default: nothing. */
  prefix?: string;
}

/** Resolves once the server listens. @throws OperatorError where PORT or HOST cannot be used */
export function listen(http: Server, address: Address): Promise<void> {
  const { PORT: port, HOST: host } = address;
  return new Promise((resolve, reject) => {
    http.once("error", (error: NodeJS.ErrnoException) => {
      const message = listenFault(error.code, address);
      reject(message === undefined ? error : new OperatorError(message, { cause: error }));
    });
    http.listen({ port, ...(host && { host }) }, resolve);
  });
}

/** Explains an error code of listen(2) or of the lookup of HOST to the operator. */
export function listenFault(code: string | undefined, { PORT, HOST, prefix = "" }: Address): string | undefined {
  switch (code) {
    case "EADDRINUSE":
      return `Port ${PORT} is in use: set ${prefix}PORT to another one.`;
    case "EACCES":
      return (
        `This user may not listen on port ${PORT}: set ${prefix}PORT to 1024 or higher and let a proxy forward to it, ` +
        "or give the process the capability CAP_NET_BIND_SERVICE."
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EAFNOSUPPORT":
    case "EINVAL":
      return (
        `${prefix}HOST is ${HOST}, which is not an address of this machine (${code}): set ${prefix}HOST to the address of one of its ` +
        `interfaces, or leave it unset to listen on ${prefix === "" ? "all of them" : "127.0.0.1"}.`
      );
    default:
      return undefined;
  }
}

/** The host of the URL at which this machine reaches a program: one on all interfaces also listens on the loopback. */
export function ownHost(host: string | undefined): string {
  if (host === undefined || host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
