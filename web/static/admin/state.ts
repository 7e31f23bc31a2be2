import { signal } from "@preact/signals";

/**
 * The admin secret; empty: nobody is signed in. Nothing but this variable holds it: a reload forgets it, and no storage, URL or history
 * ever has it.
 */
export const secret = signal("");

/** Why the sign-in form is shown again. */
export const signInProblem = signal("");

/** What the person view is about. It is no part of the URL, because URLs stay in histories and logs. */
export interface Subject {
  /** E.164, or a lower-cased email address. */
  identifier?: string;
  accountId?: string;
  /** A session that was looked for. */
  sessionId?: string;
  /** A client's address. */
  client?: string;
}

export const subject = signal<Subject>({});

/** A sentence that screen readers read out: what an action has done. */
export const notice = signal("");

export function forget(problem = ""): void {
  secret.value = "";
  subject.value = {};
  notice.value = "";
  signInProblem.value = problem;
}
