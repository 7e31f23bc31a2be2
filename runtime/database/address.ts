import type pg from "pg";
import type { ConnectionOptions } from "node:tls";
import { parseIntoClientConfig } from "pg-connection-string";
import {
  AddressError,
  channelBindingOf,
  isDirectTls,
  isOnThisMachine,
  mayBePlain,
  oneOf,
  refuseFilesWithoutTls,
  tlsModeOf,
  tlsOptions,
  type ChannelBinding,
  type DatabaseHost,
  type Parameters,
  type TlsMode,
} from "./tls.ts";

export interface DatabaseAddress {
  /** Tried in this order, until one answers that has what target_session_attrs asks for. */
  hosts: DatabaseHost[];
  tlsMode: TlsMode;
  /** Options of tls.connect, without the host. */
  tls: ConnectionOptions;
  /** TLS begins without asking whether the server has it (PostgreSQL 17). */
  isDirectTls: boolean;
  mustAcceptWrites: boolean;
  channelBinding: ChannelBinding;
  /** Role, password, database and what else node-pg reads. */
  parameters: pg.ClientConfig;
}

const driverParameters = new Set([
  "user",
  "password",
  "application_name",
  "fallback_application_name",
  "options",
  "client_encoding",
  "statement_timeout",
  "lock_timeout",
  "idle_in_transaction_session_timeout",
  "query_timeout",
]);
const ownParameters = new Set([
  "host",
  "port",
  "sslmode",
  "sslrootcert",
  "sslcert",
  "sslkey",
  "sslpassword",
  "sslnegotiation",
  "target_session_attrs",
  "channel_binding",
  // node-pg's: "ssl" is an older name of sslmode, and the other asks for what we do anyway.
  "ssl",
  "uselibpqcompat",
]);
/** The addresses of a process are few. Files of certificates are read once. */
const parsed = new Map<string, DatabaseAddress>();

/**
 * Reads an address, which may have several hosts, with libpq's parameters of TLS and of hosts:
 * https://www.postgresql.org/docs/18/libpq-connect.html (checked 2026-11-27). node-pg has other defaults and knows one
 * host only. Unlike libpq it takes no TLS for granted within the machine, verifies the host where only sslrootcert is
 * given, and asks one of several hosts to accept writes.
 * @throws AddressError
 */
export function parseDatabaseAddress(url: string): DatabaseAddress {
  const known = parsed.get(url);
  if (known) return known;
  const address = parse(url);
  parsed.set(url, address);
  return address;
}

/** Whether what is sent to one of the hosts can be read, or changed, on the way to another machine. */
export const isPlainAcrossMachines = ({ hosts, tlsMode }: DatabaseAddress): boolean =>
  mayBePlain(tlsMode) && !hosts.every(isOnThisMachine);

/**
 * Whether somebody on the way to another machine could pose as one of the hosts: TLS alone encrypts for whoever answers.
 * verify-ca is as good as verify-full with the file of an authority of one's own, and refused without a file.
 */
export const isUnverifiedAcrossMachines = ({ hosts, tls }: DatabaseAddress): boolean =>
  tls.rejectUnauthorized !== true && !hosts.every(isOnThisMachine);

const beginning = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)([^?]*)/;

function parse(url: string): DatabaseAddress {
  const [whole = "", before = "", hostList = "", path = ""] = beginning.exec(url) ?? [];
  const own: Parameters = {};
  const others = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(url.slice(whole.length))) {
    if (ownParameters.has(name)) own[name] = value;
    else if (driverParameters.has(name)) others.set(name, value);
    else throw new AddressError("has a parameter that is not known here: docs/configuration.md lists them");
  }
  const hosts = hostsOf(hostList, own);
  const tlsMode = tlsModeOf(own, hosts);
  if (tlsMode === "disable") refuseFilesWithoutTls(own, hosts);
  return {
    hosts,
    tlsMode,
    tls: tlsMode === "disable" ? {} : tlsOptions(own, tlsMode),
    isDirectTls: isDirectTls(own, tlsMode),
    mustAcceptWrites: mustAcceptWrites(own, hosts),
    channelBinding: channelBindingOf(own, tlsMode),
    // A host is needed behind a role.
    parameters: parseOthers(`${before}${before.endsWith("@") ? "host" : ""}${path}?${others.toString()}`),
  };
}

const notUnderstood =
  "cannot be understood: it must be postgres://<role>:<password>@<host>:5432/<database>, with special characters in a role or password as %XX";

function parseOthers(url: string): pg.ClientConfig {
  try {
    const parameters = parseIntoClientConfig(url);
    delete parameters.host;
    return parameters;
  } catch {
    // The message may contain the address.
    throw new AddressError(notUnderstood);
  }
}

/** The parameters win over the list before the path, as with node-pg and libpq. */
function hostsOf(list: string, parameters: Parameters): DatabaseHost[] {
  const pairs = list.split(",").map((text) => {
    const [, bracketed, name = "", port = ""] = /^(?:\[(.*)\]|([^:]*))(?::(.*))?$/.exec(text) ?? [];
    return { host: bracketed ?? decode(name), port };
  });
  const names = parameters.host?.split(",") ?? pairs.map(({ host }) => host);
  const ports = parameters.port?.split(",") ?? pairs.map(({ port }) => port);
  if (ports.length !== 1 && ports.length !== names.length)
    throw new AddressError("must have one port, or one for each host");
  return names.map((name, index) => ({
    host: name || "localhost",
    port: portOf(ports[ports.length === 1 ? 0 : index] || "5432"),
  }));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AddressError(notUnderstood);
  }
}

function portOf(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new AddressError(notUnderstood);
  return Number(text);
}

/** Every process writes, so one of several hosts has to be the primary. */
function mustAcceptWrites({ target_session_attrs: wanted }: Parameters, hosts: DatabaseHost[]): boolean {
  const known = oneOf(["any", "read-write", "primary"], "target_session_attrs", wanted ?? "any");
  return known !== "any" || (wanted === undefined && hosts.length > 1);
}
