import { parseIntoClientConfig } from "pg-connection-string";
import { z } from "zod";

const isAddress = /^postgres(ql)?:\/\//;

/** An address that node-pg understands. It is parsed here, so that the error message names the variable. */
export const databaseUrl = z.string().superRefine((text, context) => {
  const fault = isAddress.test(text) ? faultOf(text) : "must be a postgres:// address";
  if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
});

function faultOf(text: string): string | undefined {
  try {
    parseIntoClientConfig(text);
    return undefined;
  } catch (error) {
    // Files of certificates are read at once. Other messages may contain the address.
    if ((error as NodeJS.ErrnoException).syscall)
      return `names a file that cannot be read: ${(error as Error).message}`;
    return "cannot be understood: it must be postgres://<role>:<password>@<host>:5432/<database>, with special characters in a role or password as %XX";
  }
}

/** The same address for another role. */
export function withLogin(url: string, role: string, password: string): string {
  const changed = URL.parse(url);
  const parameters = { user: role, password };
  // A URL without a host has no place for them but its parameters, which win over any other.
  if (!changed?.hostname)
    return `${url}${url.includes("?") ? "&" : "?"}${new URLSearchParams(parameters).toString()}`;
  changed.username = encodeURIComponent(role);
  changed.password = encodeURIComponent(password);
  for (const name of Object.keys(parameters)) changed.searchParams.delete(name);
  return changed.href;
}
