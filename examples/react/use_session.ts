import { createLatchkey, type Latchkey, type Session } from "@latchkey/client";
import { useSyncExternalStore } from "react";

let client: Latchkey | undefined;

/**
 * Created in the browser: on a server, which draws the first page for everybody, a client would be one session for all
 * of them.
 */
export const latchkey = (): Latchkey => (client ??= createLatchkey());

const subscribe = (listener: () => void) => latchkey().session.onChange(listener);

/** Who is signed in. The component renders again when that changes, in this tab or in another one. */
export const useSession = (): Session | null =>
  useSyncExternalStore(
    subscribe,
    () => latchkey().session.current,
    () => null,
  );
