export const HOST = "127.0.0.1";

export function superuserUrl(port: number, password: string): string {
  return databaseUrl(port, "postgres", password, "postgres");
}

export function databaseUrl(port: number, role: string, password: string, database: string): string {
  const [user, secret, path] = [role, password, database].map(encodeURIComponent);
  return `postgres://${user ?? ""}:${secret ?? ""}@${HOST}:${port}/${path ?? ""}`;
}

/** The same address by way of the Unix socket in that folder, as libpq and node-pg read it; unchanged without one. */
export function viaSocket(url: string, socketFolder: string | undefined): string {
  if (socketFolder === undefined) return url;
  const changed = new URL(url);
  changed.searchParams.set("host", socketFolder);
  return changed.href;
}
