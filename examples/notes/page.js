import { createLatchkey } from "@latchkey/client";

const latchkey = createLatchkey();
const { signIn, write } = document.forms;
const say = (message = "") => (document.querySelector("[role=alert]").textContent = message);

let sent;
signIn.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { phone, otp } = signIn.elements;
  const { data, error } = sent ? await sent.enter(otp.value) : await latchkey.signInWithCode(phone.value);
  say(error?.message);
  if (error) return;
  if (sent) signIn.reset();
  sent = sent ? undefined : data;
  otp.disabled = !sent;
});
// Another phone gets a code of its own.
signIn.elements.phone.addEventListener("input", () => {
  sent = undefined;
  signIn.elements.otp.disabled = true;
});

const save = `mutation ($note: note_insert_input!, $tags: [tag_insert_input!]!) {
  insert_note_one(object: $note) { id }
  insert_tag(objects: $tags) { affected_rows }
}`;
write.addEventListener("submit", async (event) => {
  event.preventDefault();
  const id = crypto.randomUUID();
  const text = write.elements.note.value;
  const tags = [...new Set(text.match(/(?<=#)\w+/g))].map((name) => ({ note_id: id, name }));
  const { error } = await latchkey.graphql(save, { note: { id, text }, tags });
  say(error?.message);
  if (!error) write.reset();
});

write.elements.logOut.addEventListener("click", () => latchkey.POST("/auth/logout"));

/** Shows the form that is due. */
function showForm(session) {
  signIn.hidden = session?.userType === "user";
  write.hidden = !signIn.hidden;
  if (write.hidden) showNotes([]);
}
latchkey.session.onChange(showForm);
showForm(latchkey.session.current);

function showNotes(notes) {
  const items = notes.map(({ text, tags }) => {
    const item = document.createElement("li");
    item.textContent = [text, ...tags.map(({ name }) => `[${name}]`)].join(" ");
    return item;
  });
  document.querySelector("ul").replaceChildren(...items);
}

// Sends the notes of who is signed in, and again after each change: in this tab, in another one, or by SQL.
const notes = `subscription {
  note(order_by: { created_at: desc }, limit: 50) { text tags(limit: 10) { name } }
}`;
latchkey.live(notes, ({ data, error }) => {
  showNotes(data?.note ?? []);
  if (error?.code !== "access-denied") say(error?.message); // nobody is signed in
});
