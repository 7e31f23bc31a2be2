import { afterAll, vi } from "vitest";

// Files share a process: what one of them replaced is there for the next.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
