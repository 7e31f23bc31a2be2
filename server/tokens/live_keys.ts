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
  log: Log;
}

export interface KeyRing {
  keys: LiveKeys;
  /** Reads the keys of the database again. What fails is logged, and the keys before it stay in force. */
  reload: () => Promise<void>;
  stop: () => void;
}

/** A notification is a hint that may be lost: the row decides, and is read this often in any case. */
const reloadEveryMs = 60_000;

/**
 * Reads the signing keys of the database. The current one signs; where there is none, the first of JWT_KEYS.
 * @throws Error if one of them cannot be opened now; one that appears later is left out
 */
export async function openKeyRing({ own, encryptionKeys, read, log }: Options): Promise<KeyRing> {
  let text = "";
  let live: readonly SigningKey[] = own;

  /** One that does not open keeps no other from its end, nor from its beginning. */
  const open = (row: SealedSigningKey): SigningKey[] => {
    try {
      return [openSigningKey(encryptionKeys, row)];
    } catch (error) {
      if (text === "") throw error;
      log.error({ err: error, kid: row.kid }, "a signing key is not in force: it does not open");
      return [];
    }
  };

  const load = async (): Promise<void> => {
    const rows = await read();
    const rowsText = JSON.stringify(rows.map(({ kid, state }) => [kid, state]));
    if (rowsText === text) return;
    const opened = rows.flatMap((row) => open(row).map((key) => ({ state: row.state, key })));
    const keysIn = (isCurrent: boolean) =>
      opened.filter(({ state }) => (state === "current") === isCurrent).map(({ key }) => key);
    live = [...keysIn(true), ...own, ...keysIn(false)];
    text = rowsText;
    log.info({ kids: live.map(({ kid }) => kid) }, "the signing keys in force, the first of which signs");
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
    reload,
    stop: () => {
      clearInterval(timer);
    },
  };
}
