// Public interface of this folder: the PostgreSQL that `npm start` runs, and temporary clusters for tests, scripts and
// benchmarks.
export { ensureDatabase } from "./owned_database.ts";
export { prepareHome } from "./home.ts";
export { startPostgres, type RunningPostgres, type StartOptions } from "./postgres.ts";
export { viaSocket } from "./connection_urls.ts";

// For tests, scripts and benchmarks.
export { subfolders } from "./folders.ts";
export { onExit } from "./exit_hooks.ts";
export { freePort } from "./free_port.ts";
export { pgtapExtensionPath } from "./pgtap.ts";
export { readPostmasterFile } from "./postmaster_file.ts";
export { isAlive } from "./processes.ts";
export { chooseRunUser, runAs } from "./run_user.ts";
export { startRecovery, type RunCommandAs } from "./recovery.ts";
export { copyHome, startThrowaway } from "./throwaway.ts";
