export const HOST = "127.0.0.1";

export function superuserUrl(port: number, password: string): string {
  return databaseUrl(port, "postgres", password, "postgres");
}

export function databaseUrl(port: number, role: string, password: string, database: string): string {
  const [user, secret, path] = [role, password, database].map(encodeURIComponent);
  return `postgres://${user ?? ""}:${secret ?? ""}@${HOST}:${port}/${path ?? ""}`;
}

/**
 * Returns the URL with the Unix socket in that folder as host (the syntax of libpq and node-pg); unchanged without a
 * folder.
 */
export function viaSocket(url: string, socketFolder: string | undefined): string {
  if (socketFolder === undefined) return url;
  const socketUrl = new URL(url);
  socketUrl.searchParams.set("host", socketFolder);
  return socketUrl.href;
}
