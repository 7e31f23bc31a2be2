import type { PepperKey } from "../../config/secrets/derived_keys.ts";
import { openSigningKey, type SealedSigningKey } from "../../config/secrets/sealed_signing_keys.ts";
import type { SigningKey } from "../../config/secrets/signing_keys.ts";
import type { Log } from "../../runtime/log.ts";

/** The keys that are in force at the moment: the first signs, all verify. Another array after each change. */
export type LiveKeys = () => readonly SigningKey[];

interface Options {
  /** JWT_KEYS: behind those of the database. */
  own: readonly SigningKey[];
  /** Of KEY_ENCRYPTION_KEY. */
  encryptionKeys: readonly PepperKey[];
  /** Calls startup.signing_keys. */
  read: () => Promise<(SealedSigningKey & { state: string })[]>;
  /** Calls startup.confirm_signing_keys. */
  confirm: (kids: string[]) => Promise<unknown>;
  log: Log;
}

export interface KeyRing {
  keys: LiveKeys;
  /** The states of the keys that this server cannot open, by kid: others may sign with them. */
  unopened: () => ReadonlyMap<string, string>;
  /** Reads the keys of the database again. What fails is logged, and the keys before it stay in force. */
  reload: () => Promise<void>;
  stop: () => void;
}

/** A notification is a hint that may be lost: the row decides, and is read this often in any case. */
const reloadEveryMs = 60_000;

/**
 * Reads the signing keys of the database. The current one signs; where there is none, the first of JWT_KEYS. Where it
 * does not open, a key signs that verifiers certainly have: JWT_KEYS, or the latest retired one.
 * @throws Error if one of them cannot be opened now; one that appears later is left out
 */
export async function openKeyRing({ own, encryptionKeys, read, confirm, log }: Options): Promise<KeyRing> {
  let text = "";
  let live: readonly SigningKey[] = own;
  let unopened: ReadonlyMap<string, string> = new Map();

  /** One that does not open keeps no other from its end, nor from its beginning. */
  const open = (row: SealedSigningKey): SigningKey[] => {
    try {
      return [openSigningKey(encryptionKeys, row)];
    } catch (error) {
      if (text === "") throw error;
      log.error(
        { err: error, kid: row.kid },
        "a signing key is not in force here: it does not open. Set KEY_ENCRYPTION_KEY to that of the other servers, and restart",
      );
      return [];
    }
  };

  const load = async (): Promise<void> => {
    const rows = await read();
    const rowsText = JSON.stringify(rows.map(({ kid, state }) => [kid, state]));
    if (rowsText === text) return;
    const opened = rows.flatMap((row) => open(row).map((key) => ({ state: row.state, key })));
    const isOpened = (kid: string) => opened.some(({ key }) => key.kid === kid);
    unopened = new Map(rows.filter(({ kid }) => !isOpened(kid)).map(({ kid, state }) => [kid, state]));
    const keysIn = (state: string) => opened.filter((row) => row.state === state).map(({ key }) => key);
    // Verifiers may not have the next one yet.
    const others = isCurrentUnopened(unopened) ? ["retired", "next"] : ["next", "retired"];
    live = [...keysIn("current"), ...own, ...others.flatMap(keysIn)];
    log.info({ kids: live.map(({ kid }) => kid) }, "the signing keys in force, the first of which signs");
    await confirm(opened.map(({ key }) => key.kid));
    text = rowsText;
  };

  await load();
  // One read at a time, and one more for all notifications that arrive meanwhile: every role may send them.
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  const reload = (): Promise<void> => {
    if (running) {
      isAskedAgain = true;
      return running;
    }
    running = load()
      .catch((error: unknown) => {
        log.error({ err: error }, "the signing keys could not be read: those before stay in force");
      })
      .finally(() => {
        running = undefined;
        if (!isAskedAgain) return;
        isAskedAgain = false;
        void reload();
      });
    return running;
  };
  const timer = setInterval(() => void reload(), reloadEveryMs).unref();
  return {
    keys: () => live,
    unopened: () => unopened,
    reload,
    stop: () => {
      clearInterval(timer);
    },
  };
}

/** Other servers sign with a key that this one neither verifies nor publishes. */
export const isCurrentUnopened = (unopened: ReadonlyMap<string, string>): boolean =>
  [...unopened.values()].includes("current");
