import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Confirm } from "../dialog.ts";
import { ask } from "../graphql_access.ts";
import { disableAccount, enableAccount, eraseAccount, revokeAll, type Account } from "../documents/person_documents.ts";
import { useAction } from "../requests.ts";

type Opened = "revoke" | "disable" | "enable" | "erase" | undefined;

/** The operator's actions on an account. Each asks for confirmation. */
export function AccountActions({ account, reload }: { account: Account; reload: () => void }) {
  const [opened, setOpened] = useState<Opened>();
  const [reason, setReason] = useState("");
  const { id } = account;
  const close = () => setOpened(undefined);
  const done = (text: string): string => {
    close();
    reload();
    return text;
  };
  const revoke = useAction(async () => {
    const { revoke_sessions_of: revoked } = await ask(revokeAll, { user: id });
    return done(`${revoked.length} sessions were revoked.`);
  });
  const disable = useAction(async () => {
    await ask(disableAccount, { id, reason: reason.trim() });
    return done("The account is disabled, and its sessions are revoked.");
  });
  const enable = useAction(async () => {
    await ask(enableAccount, { id });
    return done("The account is enabled again.");
  });
  const erase = useAction(async () => {
    await ask(eraseAccount, { id });
    return done("The account is erased.");
  });

  return html`<div class="buttons">
      <button type="button" onClick=${() => setOpened("revoke")}>Revoke all sessions…</button>
      ${
        account.disabled_at === null
          ? html`<button type="button" onClick=${() => setOpened("disable")}>Disable…</button>`
          : html`<button type="button" onClick=${() => setOpened("enable")}>Enable…</button>`
      }
      <button type="button" class="danger quiet" onClick=${() => setOpened("erase")}>Erase…</button>
    </div>
    ${
      opened === "revoke" &&
      html`<${Confirm}
        title="Revoke all sessions?"
        verb="Revoke"
        action=${revoke}
        onConfirm=${revoke.run}
        onClose=${close}
      >
        <p>Every device of this person is signed out. They can sign in again.</p>
      <//>`
    }
    ${
      opened === "disable" &&
      html`<${Confirm}
        title="Disable this account?"
        verb="Disable"
        isDangerous
        action=${disable}
        onConfirm=${disable.run}
        onClose=${close}
      >
        <p>All sessions are revoked, and nobody can sign in until it is enabled. The person gets no message.</p>
        <label
          >Why, for other operators
          <textarea
            required
            maxlength="1000"
            rows="3"
            value=${reason}
            onInput=${({ currentTarget }: { currentTarget: HTMLTextAreaElement }) => setReason(currentTarget.value)}
          ></textarea>
        </label>
      <//>`
    }
    ${
      opened === "enable" &&
      html`<${Confirm}
        title="Enable this account?"
        verb="Enable"
        action=${enable}
        onConfirm=${enable.run}
        onClose=${close}
      >
        <p>The person can sign in again. Sessions that were revoked stay revoked.</p>
      <//>`
    }
    ${
      opened === "erase" &&
      html`<${Confirm}
        title="Erase this account?"
        verb="Erase for good"
        isDangerous
        typed=${account.phone ?? account.id}
        action=${erase}
        onConfirm=${erase.run}
        onClose=${close}
      >
        <p>
          The account and all that is stored about the person are deleted at once.${" "}
          <strong>Nothing undoes this.</strong>
        </p>
      <//>`
    }`;
}
