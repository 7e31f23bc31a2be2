import type { Environment } from "../config/environment.ts";

/** What a program needs of this process's environment: the folders of programs, and node's cache of compiled modules. */
export function childEnvironment(): Environment {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
}
