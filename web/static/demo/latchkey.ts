import { createLatchkey } from "@latchkey/client";
import { computed, signal } from "@preact/signals";

export const latchkey = createLatchkey();

/** The signed-in user, also after a sign-in in another tab. */
export const session = signal(latchkey.session.current);
export const isSignedIn = computed(() => session.value?.userType === "user");
latchkey.session.onChange((next) => {
  const wasUser = isSignedIn.value;
  session.value = next;
  if (wasUser && next === null) notice.value = "You are signed out. This session has ended.";
});

/** What has just happened, in a sentence at the top of the page. */
export const notice = signal("");

export const isOnline = signal(navigator.onLine);
addEventListener("online", () => (isOnline.value = true));
addEventListener("offline", () => (isOnline.value = false));

/** The name of this device in the list of sessions. */
export const label = (): string => {
  const { userAgent } = navigator;
  const browser = /(Edg|Firefox|Chrome|Safari)/.exec(userAgent)?.[1]?.replace("Edg", "Edge") ?? "Browser";
  const system = /(Android|iPhone|iPad|Windows|Mac OS|Linux)/.exec(userAgent)?.[1] ?? "an unknown system";
  return `${browser} on ${system}`;
};
