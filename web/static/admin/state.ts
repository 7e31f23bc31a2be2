import { signal } from "@preact/signals";

/**
 * The admin secret; empty while nobody is signed in. Only this variable holds it: it is gone after a reload, and is in
 * no storage, URL or history.
 */
export const secret = signal("");

/** Why the sign-in form is shown again. */
export const signInProblem = signal("");

/** The person that the view shows. It is not in the URL, because URLs stay in histories and logs. */
export interface Subject {
  /** E.164, or a lower-cased email address. */
  identifier?: string;
  accountId?: string;
  /** A session that was searched for. */
  sessionId?: string;
  /** A client's address. */
  client?: string;
}

export const subject = signal<Subject>({});

/** A sentence that says what an action has done. Screen readers read it out. */
export const notice = signal("");

export function forget(problem = ""): void {
  secret.value = "";
  subject.value = {};
  notice.value = "";
  signInProblem.value = problem;
}
