import type { Express, RequestHandler } from "express";
import type { Log } from "../runtime/log.ts";
import type { TrustProxy } from "../config/trust_proxy.ts";

type Trust = (entry: string, hop: number) => boolean;

/** Sets Express's "trust proxy", and makes it recognize a proxy whose entry in X-Forwarded-For has a port. */
export function trustProxies(app: Express, setting: TrustProxy): void {
  app.set("trust proxy", setting);
  const trusts = app.get("trust proxy fn") as Trust;
  app.set("trust proxy", ((entry, hop) => trusts(withoutPort(entry), hop)) satisfies Trust);
}

/** The address of an entry of X-Forwarded-For, which some proxies write as ip:port or [ipv6]:port. */
export function withoutPort(entry: string): string {
  const [, bracketed, ipv4] = /^\s*(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d{1,5})?\s*$/i.exec(entry) ?? [];
  return bracketed ?? ipv4 ?? entry.trim();
}

/**
 * Warns once per process and cause when clients are counted by their proxy's address because a forwarded header is
 * ignored. Any client can send such a header, so its text is not logged.
 * @param variable names the trusted proxies
 */
export function warnOfIgnoredForwarding(log: Log, variable = "TRUST_PROXY"): RequestHandler {
  const warned = new Set<string>();
  return (request, _response, next) => {
    const { "x-forwarded-for": forwardedFor, forwarded } = request.headers;
    if (forwardedFor !== undefined || forwarded !== undefined) {
      const sender = request.socket.remoteAddress ?? "unknown";
      const trusts = request.app.get("trust proxy fn") as Trust;
      const warning = !trusts(sender, 0) ? untrusted : forwardedFor === undefined ? unsupported : undefined;
      if (warning !== undefined && !warned.has(warning)) {
        warned.add(warning);
        log.warn({ sender }, warning.replaceAll("TRUST_PROXY", variable));
      }
    }
    next();
  };
}

const untrusted =
  "A forwarded header (X-Forwarded-For or Forwarded) was ignored because TRUST_PROXY does not include its sender. " +
  "If the sender is your reverse proxy, add its address to TRUST_PROXY: until then all its clients share one " +
  "client's limits. Otherwise a client wrote the header, and there is nothing to do.";

const unsupported =
  "A proxy of TRUST_PROXY sent Forwarded without X-Forwarded-For, which is the only forwarded header that is read. " +
  "Configure the proxy to send X-Forwarded-For: until then all its clients share one client's limits.";
