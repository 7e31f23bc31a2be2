/**
 * Import this module before Grafast, which reads GRAPHILE_ENV when it is imported. Unset, Grafast prints a warning and
 * runs its development checks, which slow down each request.
 */
process.env.GRAPHILE_ENV ??= "production";
