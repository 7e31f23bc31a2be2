import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIPv4 } from "node:net";
import { createSecureContext, getCACertificates, type ConnectionOptions, type SecureContextOptions } from "node:tls";
import type pg from "pg";
import { parseIntoClientConfig } from "pg-connection-string";

/** libpq's sslmode, from the weakest to the strongest. */
const tlsModes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;
type TlsMode = (typeof tlsModes)[number];

export interface DatabaseHost {
  /** A folder's path for a Unix socket. */
  host: string;
  port: number;
}

export interface DatabaseAddress {
  /** Tried in this order, until one answers that has what target_session_attrs asks for. */
  hosts: DatabaseHost[];
  tlsMode: TlsMode;
  /** Options of tls.connect, without the host. */
  tls: ConnectionOptions;
  /** TLS begins without asking whether the server has it (PostgreSQL 17). */
  isDirectTls: boolean;
  mustAcceptWrites: boolean;
  channelBinding: (typeof channelBindings)[number];
  /** Role, password, database and what else node-pg reads. */
  parameters: pg.ClientConfig;
}

const channelBindings = ["disable", "prefer", "require"] as const;

/** Its message says what is wrong with an address, without the address: that holds a password. */
export class AddressError extends Error {
  override name = "AddressError";
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
type Parameters = Partial<Record<string, string>>;

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

const mayBePlain = (mode: TlsMode): boolean => mode === "disable" || mode === "allow" || mode === "prefer";

const isOnThisMachine = ({ host }: DatabaseHost): boolean =>
  isSocket(host) || host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));

export const isSocket = (host: string): boolean => host.startsWith("/");

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

const driverModes: Record<string, TlsMode> = {
  true: "verify-full",
  "1": "verify-full",
  false: "disable",
  "0": "disable",
  "no-verify": "require",
};

function tlsModeOf(parameters: Parameters, hosts: DatabaseHost[]): TlsMode {
  if (hosts.every(({ host }) => isSocket(host))) return "disable";
  const wanted = parameters.sslmode ?? driverModes[parameters.ssl ?? ""];
  const authorities = rootFile(parameters);
  if (wanted) {
    const mode = wanted === "no-verify" ? "require" : oneOf(tlsModes, "sslmode", wanted);
    if (authorities === "system" && mode !== "verify-full")
      throw new AddressError("has sslrootcert=system, which needs sslmode=verify-full");
    return mode;
  }
  if (authorities) return "verify-full";
  return hosts.every(isOnThisMachine) ? "disable" : "prefer";
}

const rootFile = (parameters: Parameters) => parameters.sslrootcert;

/** Whom to trust, and who we are. */
function tlsOptions(parameters: Parameters, mode: TlsMode): ConnectionOptions {
  const authorities = rootFile(parameters);
  // As libpq: with a file of authorities, require verifies them too.
  const verifies = mode.startsWith("verify") || (mode === "require" && Boolean(authorities));
  if (mode === "verify-ca" && !authorities)
    throw new AddressError(
      "has sslmode=verify-ca without sslrootcert, and anybody can get a certificate of a public authority: name the file of your own authority, or use sslmode=verify-full",
    );
  const context: SecureContextOptions = {};
  if (verifies && authorities) context.ca = authoritiesOf(authorities);
  const [cert, key] = [parameters.sslcert, parameters.sslkey];
  if (cert) context.cert = readPem(cert);
  if (key) context.key = readPem(key);
  if (parameters.sslpassword) context.passphrase = parameters.sslpassword;
  return {
    rejectUnauthorized: verifies,
    // Only verify-full compares the certificate with the name of the host.
    ...(mode !== "verify-full" && { checkServerIdentity: () => undefined }),
    secureContext: understood("sslcert or sslkey", () => createSecureContext(context)),
  };
}

/** The system's authorities; a small container may have none, and Node brings its own. */
function authoritiesOf(file: string): string | string[] {
  if (file !== "system") {
    const pem = readPem(file);
    understood("sslrootcert", () => new X509Certificate(pem));
    return pem;
  }
  const authorities = getCACertificates("system");
  return authorities.length > 0 ? authorities : getCACertificates("default");
}

function readPem(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new AddressError(`names a file that cannot be read: ${(error as Error).message}`);
  }
}

function understood<T>(parameter: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw new AddressError(
      `names a file in ${parameter} that is not what it must be: PEM, and key and certificate of one pair`,
    );
  }
}

function channelBindingOf({ channel_binding: wanted = "disable" }: Parameters, mode: TlsMode) {
  const binding = oneOf(channelBindings, "channel_binding", wanted);
  if (binding === "require") requireTls("channel_binding=require", mode);
  return binding;
}

function requireTls(parameter: string, mode: TlsMode): void {
  if (mayBePlain(mode)) throw new AddressError(`has ${parameter}, which needs sslmode=require or stronger`);
}

function isDirectTls({ sslnegotiation = "postgres" }: Parameters, mode: TlsMode): boolean {
  if (oneOf(["postgres", "direct"], "sslnegotiation", sslnegotiation) === "postgres") return false;
  requireTls("sslnegotiation=direct", mode);
  return true;
}

/** Every process writes, so one of several hosts has to be the primary. */
function mustAcceptWrites({ target_session_attrs: wanted }: Parameters, hosts: DatabaseHost[]): boolean {
  const known = oneOf(["any", "read-write", "primary"], "target_session_attrs", wanted ?? "any");
  return known !== "any" || (wanted === undefined && hosts.length > 1);
}

function oneOf<T extends string>(values: readonly T[], name: string, value: string): T {
  const found = values.find((candidate) => candidate === value);
  if (found === undefined) throw new AddressError(`has a ${name} other than ${values.join(", ")}`);
  return found;
}
