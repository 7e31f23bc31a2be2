import { signal } from "@preact/signals";
import { notice, subject, type Subject } from "./state.ts";

export const views = ["find", "person", "sign-ins", "events", "delivery", "messages", "settings"] as const;
export type View = (typeof views)[number];

const isView = (name: string): name is View => views.some((view) => view === name);

function current(): View {
  const name = location.hash.replace(/^#\/?/, "");
  return isView(name) ? name : "find";
}

export const view = signal<View>(current());

addEventListener("hashchange", () => {
  notice.value = "";
  view.value = current();
});

export function openPerson(person: Subject): void {
  subject.value = person;
  location.hash = "#/person";
  view.value = "person";
}
