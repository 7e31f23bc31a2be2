import { constants } from "node:os";

const hooks = new Set<() => void>();
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Registers a synchronous hook that runs when this process exits; the hook registered last runs first. If the process
 * has no listener of its own for SIGINT, SIGTERM or SIGHUP, such a signal runs the hooks and exits.
 * @returns a function that removes the hook
 */
export function onExit(hook: () => void): () => void {
  if (hooks.size === 0) listen();
  hooks.add(hook);
  return () => {
    if (hooks.delete(hook) && hooks.size === 0) unlisten();
  };
}

function listen(): void {
  process.on("exit", runHooks);
  for (const signal of signals) process.on(signal, exitOnSignal);
}

function unlisten(): void {
  process.off("exit", runHooks);
  for (const signal of signals) process.off(signal, exitOnSignal);
}

function exitOnSignal(signal: (typeof signals)[number]): void {
  // Compared by name: a test runner may load this module twice, and each copy would wait for the other to exit.
  const others = process.listeners(signal).filter(({ name }) => name !== exitOnSignal.name);
  if (others.length === 0) process.exit(128 + constants.signals[signal]);
}

function runHooks(): void {
  for (const hook of [...hooks].reverse()) {
    try {
      hook();
    } catch {
      // The remaining hooks must still run.
    }
  }
}
