import type { IncomingHttpHeaders } from "node:http";
import type { Caller } from "../../authorization/caller.ts";
import type { BoundedSocket } from "./bounded_socket.ts";
import { makeChanges, type Changes } from "./changes.ts";

/** How many sockets, and operations on all of them, a session may have at once. */
export const maxSocketsPerSession = 10;
export const maxOperationsPerSession = 50;

/** An authorized socket. */
export interface OpenSocket {
  socket: BoundedSocket;
  /** What it was authorized by, and will be again. */
  headers: IncomingHttpHeaders;
  caller: Caller;
  /** Marked when its session may have ended. */
  doubts: Changes;
  /** One for each of its live queries. */
  live: Set<Changes>;
  /** Operations that run, live queries included. */
  operations: number;
}

export interface SocketTable {
  /** Takes an authorized socket in; undefined: its session has as many as it may. */
  add: (socket: BoundedSocket, headers: IncomingHttpHeaders, caller: Caller) => OpenSocket | undefined;
  get: (socket: BoundedSocket) => OpenSocket | undefined;
  /** Forgets a socket and ends what runs on it. */
  remove: (open: OpenSocket) => void;
  /** The socket's session has as many operations as it may. */
  isFull: (open: OpenSocket) => boolean;
  all: () => Iterable<OpenSocket>;
  ofSession: (sessionId: string) => Iterable<OpenSocket>;
  ofUser: (userId: string) => Iterable<OpenSocket>;
  ofAdmins: () => Iterable<OpenSocket>;
}

export const sessionOf = ({ settings }: Caller): string | undefined => settings["latchkey.session_id"];
export const userOf = ({ settings }: Caller): string | undefined => settings["latchkey.user_id"];

const admins = "admin";

/** The open sockets, found by session and by user: a notification costs what it concerns, however many are open. */
export function createSocketTable(): SocketTable {
  const sockets = new Map<BoundedSocket, OpenSocket>();
  const groups = new Map<string, Set<OpenSocket>>();

  const keysOf = ({ caller }: OpenSocket): string[] => {
    if (caller.audience === "admin") return [admins];
    return [`session ${sessionOf(caller)}`, ...(userOf(caller) ? [`user ${userOf(caller)}`] : [])];
  };
  const group = (key: string): Set<OpenSocket> => groups.get(key) ?? new Set();

  return {
    add(socket, headers, caller) {
      const open = {
        socket,
        headers,
        caller,
        doubts: makeChanges(),
        live: new Set<Changes>(),
        operations: 0,
      };
      const keys = keysOf(open);
      if (caller.audience !== "admin" && group(keys[0] ?? "").size >= maxSocketsPerSession) return undefined;
      for (const key of keys) groups.set(key, group(key).add(open));
      sockets.set(socket, open);
      return open;
    },
    get: (socket) => sockets.get(socket),
    remove(open) {
      sockets.delete(open.socket);
      for (const key of keysOf(open)) {
        const left = group(key);
        left.delete(open);
        if (left.size === 0) groups.delete(key);
      }
      open.doubts.end();
      for (const changes of open.live) changes.end();
    },
    isFull(open) {
      // The admin's secret is no session: there each socket counts for itself.
      const own = open.caller.audience === "admin" ? [open] : [...group(`session ${sessionOf(open.caller)}`)];
      return own.reduce((sum, { operations }) => sum + operations, 0) >= maxOperationsPerSession;
    },
    all: () => [...sockets.values()],
    ofSession: (sessionId) => [...group(`session ${sessionId}`)],
    ofUser: (userId) => [...group(`user ${userId}`)],
    ofAdmins: () => [...group(admins)],
  };
}
