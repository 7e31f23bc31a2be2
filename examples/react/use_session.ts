import { createLatchkey, type Session } from "@latchkey/client";
import { useSyncExternalStore } from "react";

export const latchkey = createLatchkey();

/** Who is signed in. The component renders again when that changes, in this tab or in another one. */
export const useSession = (): Session | null =>
  useSyncExternalStore(latchkey.session.onChange, () => latchkey.session.current);
