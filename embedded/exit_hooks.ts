import { constants } from "node:os";

const hooks = new Set<() => void>();
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Calls a synchronous hook when this process exits, the latest first. One that SIGINT, SIGTERM or SIGHUP
 * would simply end exits by way of the hooks; one that handles the signal itself keeps the say. Returns how to take it back.
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
  // Compared by name: a test runner may have loaded this file twice, and each would defer to the other.
  const others = process.listeners(signal).filter(({ name }) => name !== exitOnSignal.name);
  if (others.length === 0) process.exit(128 + constants.signals[signal]);
}

function runHooks(): void {
  for (const hook of [...hooks].reverse()) {
    try {
      hook();
    } catch {
      // The process is ending; the other hooks must still run.
    }
  }
}
