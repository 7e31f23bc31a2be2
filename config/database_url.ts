import { z } from "zod";
import {
  isPlainAcrossMachines,
  isUnverifiedAcrossMachines,
  parseDatabaseAddress,
  type DatabaseAddress,
} from "../runtime/database/address.ts";
import { AddressError } from "../runtime/database/tls.ts";

const isAddress = /^postgres(ql)?:\/\//;

/** An address that the processes understand. It is parsed here, so that the error message names the variable. */
export const databaseUrl = z.string().superRefine((text, context) => {
  const fault = isAddress.test(text) ? faultOf(text) : "must be a postgres:// address";
  if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
});

function faultOf(text: string): string | undefined {
  try {
    parseDatabaseAddress(text);
    return undefined;
  } catch (error) {
    if (error instanceof AddressError) return error.message;
    throw error;
  }
}

/** `off` lets an address leave the machine without TLS in production, and silences the warning elsewhere. */
export const databaseTls = z.enum(["on", "off"]).default("on");

type Variables = Record<string, unknown>;

/** The variables with an address of which something holds, unless DATABASE_TLS=off says that it may. */
function addressesThat(holds: (address: DatabaseAddress) => boolean, variables: Variables): string[] {
  if (variables.DATABASE_TLS === "off") return [];
  return Object.entries(variables)
    .filter(([name, url]) => /DATABASE_(DIRECT_)?URL$/.test(name) && typeof url === "string")
    .filter(([, url]) => isAddress.test(url as string) && faultOf(url as string) === undefined)
    .filter(([, url]) => holds(parseDatabaseAddress(url as string)))
    .map(([name]) => name);
}

const remedy =
  "add ?sslmode=verify-full (docs/managed-postgresql.md), or set DATABASE_TLS=off where the network is private";
const plainAddress = `leaves this machine without TLS: ${remedy}`;
const unverifiedAddress = `leaves this machine with TLS that does not verify the server, so anybody in between could pose as it: ${remedy}`;

/**
 * Makes a schema refuse, in production, an address that leaves the machine without TLS or without verifying the server,
 * beside the faults of other variables.
 */
export function requireTls<Schema extends z.ZodObject>(schema: Schema): Schema {
  const rules = [
    [isPlainAcrossMachines, plainAddress],
    [isUnverifiedAcrossMachines, unverifiedAddress],
  ] as const;
  return Object.keys(schema.shape).reduce(
    (refined, name) =>
      rules.reduce(
        (refinedBefore, [holds, error]) =>
          refinedBefore.refine(
            (variables: Variables) =>
              variables.NODE_ENV !== "production" || !addressesThat(holds, variables).includes(name),
            { path: [name], error, when: () => true },
          ),
        refined,
      ),
    schema,
  );
}

/** One line for each address that leaves the machine without TLS; in production there is none. */
export const tlsWarnings = (variables: object): string[] =>
  addressesThat(isPlainAcrossMachines, { ...variables }).map((name) => `${name} ${plainAddress}.`);

/** The same address for another role. */
export function withLogin(url: string, role: string, password: string): string {
  const changed = URL.parse(url);
  const parameters = { user: role, password };
  // A URL without a host, or with several, has no place for them but its parameters, which win over any other.
  if (!changed?.hostname) return withParameters(url, parameters);
  changed.username = encodeURIComponent(role);
  changed.password = encodeURIComponent(password);
  for (const name of Object.keys(parameters)) changed.searchParams.delete(name);
  return changed.href;
}

/** The same address with parameters that win over those that it has. */
export const withParameters = (url: string, parameters: Record<string, string>): string =>
  `${url}${url.includes("?") ? "&" : "?"}${new URLSearchParams(parameters).toString()}`;
