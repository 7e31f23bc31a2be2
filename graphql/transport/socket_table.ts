import type { IncomingHttpHeaders } from "node:http";
import type { ChangeSource } from "../hasura/subscriptions.ts";
import type { Caller } from "../authorization/caller.ts";
import { notificationDigest } from "../../runtime/database/notifications.ts";
import type { BoundedSocket } from "./bounded_socket.ts";
import { createChangeSignal, type ChangeSignal } from "./change_signal.ts";

const maxSocketsPerSession = 10;
/** Operations on all sockets of a session. */
export const maxOperationsPerSession = 50;

/** An authorized socket. */
export interface SocketEntry {
  socket: BoundedSocket;
  /** The credentials of connection_init, to authorize the socket again. */
  headers: IncomingHttpHeaders;
  caller: Caller;
  /** Notified when the session may have ended. */
  sessionChange: ChangeSignal;
  /** The signal of each live query on the socket, and what it reads again after. */
  liveQueries: Map<ChangeSignal, ReadonlySet<ChangeSource>>;
  /** Operations in flight, live queries included. */
  operations: number;
}

export interface SocketTable {
  /** Adds an authorized socket; returns undefined if its session has maxSocketsPerSession. */
  add: (socket: BoundedSocket, headers: IncomingHttpHeaders, caller: Caller) => SocketEntry | undefined;
  get: (socket: BoundedSocket) => SocketEntry | undefined;
  /** Removes a socket and ends its live queries. */
  remove: (entry: SocketEntry) => void;
  /** Whether the session of the socket has maxOperationsPerSession in flight. */
  hasMaxOperations: (entry: SocketEntry) => boolean;
  all: () => Iterable<SocketEntry>;
  /** The sockets of a user, or of a guest's session, by the digest that notifications carry. */
  ofOwner: (digest: string) => Iterable<SocketEntry>;
  ofAdmins: () => Iterable<SocketEntry>;
}

export const sessionOf = ({ settings }: Caller): string | undefined => settings["latchkey.session_id"];
export const userOf = ({ settings }: Caller): string | undefined => settings["latchkey.user_id"];

const adminKey = "admin";

/**
 * Indexes the authorized sockets by session and owner, so that a notification takes time only for the sockets that it
 * concerns.
 */
export function createSocketTable(): SocketTable {
  const entries = new Map<BoundedSocket, SocketEntry>();
  const groups = new Map<string, Set<SocketEntry>>();

  const keysOf = ({ caller }: SocketEntry): string[] => {
    if (caller.audience === "admin") return [adminKey];
    // The user id of a guest is "".
    const owner = userOf(caller) || sessionOf(caller) || "";
    return [`session ${sessionOf(caller)}`, `owner ${notificationDigest(owner)}`];
  };
  const group = (key: string): Set<SocketEntry> => groups.get(key) ?? new Set();

  return {
    add(socket, headers, caller) {
      const entry = {
        socket,
        headers,
        caller,
        operations: 0,
        sessionChange: createChangeSignal(),
        liveQueries: new Map<ChangeSignal, ReadonlySet<ChangeSource>>(),
      };
      const keys = keysOf(entry);
      if (caller.audience !== "admin" && group(keys[0] ?? "").size >= maxSocketsPerSession) return undefined;
      for (const key of keys) groups.set(key, group(key).add(entry));
      entries.set(socket, entry);
      return entry;
    },
    get: (socket) => entries.get(socket),
    remove(entry) {
      entries.delete(entry.socket);
      for (const key of keysOf(entry)) {
        const members = group(key);
        members.delete(entry);
        if (members.size === 0) groups.delete(key);
      }
      entry.sessionChange.close();
      for (const changes of entry.liveQueries.keys()) changes.close();
    },
    hasMaxOperations(entry) {
      const { caller } = entry;
      // The admin has no session: each of its sockets counts alone.
      const counted = caller.audience === "admin" ? [entry] : [...group(`session ${sessionOf(caller)}`)];
      return counted.reduce((sum, { operations }) => sum + operations, 0) >= maxOperationsPerSession;
    },
    all: () => [...entries.values()],
    ofOwner: (digest) => [...group(`owner ${digest}`)],
    ofAdmins: () => [...group(adminKey)],
  };
}
