import { shutdownTimeout } from "../../runtime/signals.ts";

// For `node --import`: on a busy machine a shutdown may take longer than production allows, and a process that exits by
// its time-out fails a test that is about something else.
shutdownTimeout.ms = 60_000;
