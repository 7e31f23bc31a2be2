import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Accounts } from "./account_table.ts";
import { ask } from "../graphql_access.ts";
import { Heading, Problem } from "../parts.ts";
import { useAction } from "../requests.ts";
import { openPerson, view } from "../current_view.ts";
import { RequestRefusal } from "./request_refusal.ts";
import { NewestAccounts } from "./newest_accounts.ts";
import { accountByPhone, accountsByEmail, anythingById, type AccountRow } from "../documents/find_documents.ts";
import type { Subject } from "../state.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const address = /^(\d{1,3}(\.\d{1,3}){3}|[0-9a-f:]+:[0-9a-f:]*(\/\d+)?)$/i;

/** As runtime/request_ids.ts, and longer than what is typed by mistake. */
const requestId = /^[A-Za-z0-9._:-]{8,128}$/;

/** A phone as people write it: spaces, hyphens and brackets are left out, and 00 is +. */
export const toPhone = (text: string): string => text.replace(/[\s().-]/g, "").replace(/^00/, "+");

type Found = Subject | AccountRow[];

/** @returns what to open, or several accounts to choose from */
export async function search(text: string): Promise<Found> {
  if (uuid.test(text)) return searchId(text.toLowerCase());
  if (text.includes("@")) {
    const { user_account } = await ask(accountsByEmail, { email: text.toLowerCase() });
    if (user_account.length > 1) return user_account;
    const [account] = user_account;
    return account
      ? { accountId: account.id, identifier: account.phone ?? text.toLowerCase() }
      : { identifier: text.toLowerCase() };
  }
  if (address.test(text)) return { client: text };
  const phone = toPhone(text);
  if (!/^\+[1-9]\d{6,14}$/.test(phone)) return [];
  const [account] = (await ask(accountByPhone, { phone })).find_account;
  return { identifier: account?.phone ?? phone, ...(account && { accountId: account.id }) };
}

async function searchId(id: string): Promise<Found> {
  const found = await ask(anythingById, { id });
  if (found.user_account_by_pk) return { accountId: id };
  const session = found.user_session_by_pk;
  if (session) return { sessionId: id, ...(session.user_id !== null && { accountId: session.user_id }) };
  if (found.platform_guest_promotion_by_pk) return { accountId: found.platform_guest_promotion_by_pk.user_id };
  const otp = found.platform_otp_transaction_by_pk;
  return otp ? search(otp.identifier) : [];
}

export function Find() {
  const [text, setText] = useState("");
  const [several, setSeveral] = useState<AccountRow[] | undefined>();
  const [searched, setSearched] = useState("");
  const action = useAction(async () => {
    setSeveral(undefined);
    setSearched(text.trim());
    const found = await search(text.trim());
    // Whoever has gone to another view meanwhile stays there.
    if (view.value !== "find") return "";
    if (!Array.isArray(found)) openPerson(found);
    else setSeveral(found);
    return "";
  });
  const submit = (event: Event) => {
    event.preventDefault();
    if (text.trim() !== "") action.run();
  };
  return html`<${Heading}>Find a person<//>
    <form class="search" role="search" onSubmit=${submit} aria-busy=${action.isBusy}>
      <label
        >Phone, email, client address, or the id of an account, session, one-time password or request
        <input
          type="search"
          autocomplete="off"
          spellcheck=${false}
          placeholder="+1 212 555 0123"
          value=${text}
          onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => setText(currentTarget.value)}
        />
      </label>
      <button class="primary" disabled=${action.isBusy}>${action.isBusy ? "Searching…" : "Find"}</button>
    </form>
    <${Problem} text=${action.problem} retry=${action.run} />
    ${
      several?.length === 0 &&
      html`<p class="empty" role="status">
        Nothing has this id. A phone begins with + and its country: +12125550123. An ended session is deleted after
        SESSION_RETENTION_DAYS.
      </p>`
    }
    ${several?.length === 0 && requestId.test(searched) && html`<${RequestRefusal} key=${searched} id=${searched} />`}
    ${
      several &&
      several.length > 0 &&
      html`<h2>Accounts with this email</h2>
        <${Accounts} rows=${several} />`
    }
    <${NewestAccounts} />`;
}
