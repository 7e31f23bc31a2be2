/**
 * Import this module before Grafast, which reads GRAPHILE_ENV when it is imported. Unset, Grafast prints a warning and
 * runs its development checks, which slow down each request.
 */
process.env.GRAPHILE_ENV ??= "production";
/** Roles have jit = off already. @dataplan/pg would set it, unawaited, and print when a stop ends the connection meanwhile. */
process.env.DATAPLAN_PG_DONT_DISABLE_JIT ??= "1";
