import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Confirm } from "../dialog.ts";
import { invitationQuery, invite, withdrawInvitation, type Invitation } from "../documents/invitation_documents.ts";
import { ask } from "../graphql_access.ts";
import { Answer, Badge, Empty, Moment } from "../parts.ts";
import { useAction, useQuery } from "../requests.ts";

interface FieldEvent {
  currentTarget: HTMLInputElement;
}

/** The invitation of a phone without an account, which counts while REGISTRATION is not open. */
export function PhoneInvitation({ phone }: { phone: string }) {
  const [opened, setOpened] = useState<"invite" | "withdraw" | undefined>();
  const answer = useQuery(invitationQuery, { phone });
  const close = () => setOpened(undefined);
  const done = (text: string): string => {
    close();
    answer.reload();
    return text;
  };
  const withdraw = useAction(async () => {
    await ask(withdrawInvitation, { phone });
    return done("The invitation is withdrawn.");
  });
  return html`<section class="card" aria-labelledby="invitation">
    <h2 id="invitation">Invitation</h2>
    <${Answer} of=${answer}>
      ${({ user_invitation_by_pk: invitation }: { user_invitation_by_pk: Invitation | null }) =>
        html`${
            invitation === null
              ? html`<${Empty}>None. It matters while <code>REGISTRATION</code> is not open.<//>`
              : html`<p>
                  ${Date.parse(invitation.valid_until) <= Date.now() ? html`<${Badge} tone="warn">expired<//> ` : ""}Valid
                  until
                  <${Moment} at=${invitation.valid_until} />${invitation.email !== null && `, for ${invitation.email}`}.
                </p>`
          }
          <div class="buttons">
            <button type="button" onClick=${() => setOpened("invite")}>
              ${invitation === null ? "Invite…" : "Invite again…"}
            </button>
            ${
              invitation !== null &&
              html`<button type="button" class="quiet" onClick=${() => setOpened("withdraw")}>Withdraw…</button>`
            }
          </div>`}
    <//>
    ${opened === "invite" && html`<${InviteDialog} phone=${phone} done=${done} close=${close} />`}
    ${
      opened === "withdraw" &&
      html`<${Confirm}
        title="Withdraw the invitation?"
        verb="Withdraw"
        action=${withdraw}
        onConfirm=${withdraw.run}
        onClose=${close}
      >
        <p>
          ${phone} can open no account while <code>REGISTRATION</code> is not open. A message that was sent stays sent.
        </p>
      <//>`
    }
  </section>`;
}

interface DialogProperties {
  phone: string;
  done: (text: string) => string;
  close: () => void;
}

function InviteDialog({ phone, done, close }: DialogProperties) {
  const [email, setEmail] = useState("");
  const [until, setUntil] = useState("");
  const [isSent, setSent] = useState(true);
  const action = useAction(async () => {
    const end = until === "" ? null : new Date(`${until}T23:59:59`).toISOString();
    await ask(invite, { phone, email: email.trim() || null, until: end, send: isSent });
    return done(isSent ? "The phone is invited, and gets an SMS." : "The phone is invited.");
  });
  return html`<${Confirm}
    title=${`Invite ${phone}?`}
    verb="Invite"
    action=${action}
    onConfirm=${action.run}
    onClose=${close}
  >
    <p>
      It may open one account, also while <code>REGISTRATION</code> is not open. This replaces an earlier invitation.
    </p>
    <label
      >Email of the account, if you have it
      <input
        type="email"
        autocomplete="off"
        value=${email}
        onInput=${({ currentTarget }: FieldEvent) => setEmail(currentTarget.value)}
      />
    </label>
    <label
      >Last day; 30 days from now if left empty
      <input type="date" value=${until} onInput=${({ currentTarget }: FieldEvent) => setUntil(currentTarget.value)} />
    </label>
    <label class="check">
      <input
        type="checkbox"
        checked=${isSent}
        onChange=${({ currentTarget }: FieldEvent) => setSent(currentTarget.checked)}
      />
      Send an SMS (the text INVITATION)
    </label>
  <//>`;
}
