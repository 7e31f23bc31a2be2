import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIPv4 } from "node:net";
import { createSecureContext, getCACertificates, type ConnectionOptions, type SecureContextOptions } from "node:tls";

/** libpq's sslmode, from the weakest to the strongest. */
const tlsModes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;
export type TlsMode = (typeof tlsModes)[number];

const channelBindings = ["disable", "prefer", "require"] as const;
export type ChannelBinding = (typeof channelBindings)[number];

export interface DatabaseHost {
  /** A folder's path for a Unix socket. */
  host: string;
  port: number;
}

/** Its message says what is wrong with an address, without the address: that holds a password. */
export class AddressError extends Error {
  override name = "AddressError";
}

/** What the TLS of an address depends on. */
export type Parameters = Partial<Record<string, string>>;

export const mayBePlain = (mode: TlsMode): boolean => mode === "disable" || mode === "allow" || mode === "prefer";

export const isOnThisMachine = ({ host }: DatabaseHost): boolean =>
  isSocket(host) || host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));

export const isSocket = (host: string): boolean => host.startsWith("/");

const driverModes: Record<string, TlsMode> = {
  true: "verify-full",
  "1": "verify-full",
  false: "disable",
  "0": "disable",
  "no-verify": "require",
};

export function tlsModeOf(parameters: Parameters, hosts: DatabaseHost[]): TlsMode {
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
export function tlsOptions(parameters: Parameters, mode: TlsMode): ConnectionOptions {
  const authorities = rootFile(parameters);
  // As libpq: with a file of authorities, require verifies them too.
  const verifies = mode.startsWith("verify") || (mode === "require" && Boolean(authorities));
  if (mode === "verify-ca" && !authorities)
    throw new AddressError(
      "has sslmode=verify-ca without sslrootcert, and anybody can get a certificate of a public authority: name the file of your own authority, or use sslmode=verify-full",
    );
  const context: SecureContextOptions = {};
  if (verifies && authorities) context.ca = authoritiesOf(authorities);
  const { sslcert: cert, sslkey: key, sslpassword: passphrase } = parameters;
  // One without the other would log in without a certificate, and nobody would notice.
  if (Boolean(cert) !== Boolean(key))
    throw new AddressError(cert ? "has sslcert without sslkey" : "has sslkey without sslcert");
  if (passphrase && !key) throw new AddressError("has sslpassword without sslkey");
  if (cert && key) Object.assign(context, { cert: readPem(cert), key: readPem(key), passphrase });
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

export function channelBindingOf({ channel_binding: wanted = "disable" }: Parameters, mode: TlsMode) {
  const binding = oneOf(channelBindings, "channel_binding", wanted);
  if (binding === "require") requireTls("channel_binding=require", mode);
  return binding;
}

/** @throws AddressError if files are named that a connection without TLS would not use; a socket never has TLS. */
export function refuseFilesWithoutTls(parameters: Parameters, hosts: DatabaseHost[]): void {
  const named = ["sslrootcert", "sslcert", "sslkey", "sslpassword"].find((name) => parameters[name]);
  if (named && !hosts.every(({ host }) => isSocket(host)))
    throw new AddressError(`has ${named} and no TLS: add sslmode=verify-full`);
}

function requireTls(parameter: string, mode: TlsMode): void {
  if (mayBePlain(mode)) throw new AddressError(`has ${parameter}, which needs sslmode=require or stronger`);
}

export function isDirectTls({ sslnegotiation = "postgres" }: Parameters, mode: TlsMode): boolean {
  if (oneOf(["postgres", "direct"], "sslnegotiation", sslnegotiation) === "postgres") return false;
  requireTls("sslnegotiation=direct", mode);
  return true;
}

export function oneOf<T extends string>(values: readonly T[], name: string, value: string): T {
  const found = values.find((candidate) => candidate === value);
  if (found === undefined) throw new AddressError(`has a ${name} other than ${values.join(", ")}`);
  return found;
}
