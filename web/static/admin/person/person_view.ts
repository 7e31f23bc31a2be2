import { html } from "htm/preact";
import { AccountBadge } from "../find/account_table.ts";
import { AccountActions } from "./account_actions.ts";
import { accountQuery, type Account } from "../documents/person_documents.ts";
import { Factors } from "./person_factors.ts";
import { Limits } from "./person_limits.ts";
import { Answer, Badge, Empty, Heading, Moment } from "../parts.ts";
import { useQuery } from "../requests.ts";
import { FoundSession, Sessions } from "./person_sessions.ts";
import { subject } from "../state.ts";
import { PhoneInvitation } from "./phone_invitation.ts";
import { Story } from "./person_story.ts";

/** The person that was searched for: an account, a phone without one, a client's address, or a guest's session. */
export function Person() {
  const { accountId, identifier, sessionId, client } = subject.value;
  if (accountId !== undefined) return html`<${AccountView} key=${accountId} id=${accountId} />`;
  if (identifier !== undefined)
    return html`<${Heading}>${identifier}<//>
      <p class="facts-line"><${Badge} tone="warn">no account<//> Codes may have been sent nevertheless.</p>
      <div class="columns">
        <${Story} identifier=${identifier} />
        <div>
          <${Limits} identifier=${identifier} accountId="" />
          ${identifier.startsWith("+") && html`<${PhoneInvitation} phone=${identifier} />`}
        </div>
      </div>`;
  if (client !== undefined)
    return html`<${Heading}>Client ${client}<//> <${Limits} identifier=${client} accountId="" />`;
  if (sessionId !== undefined) return html`<${Heading}>A guest's session<//> <${FoundSession} id=${sessionId} />`;
  return html`<${Heading}>Nobody is chosen<//>
    <${Empty}>Who was shown here is in no URL, so a reload forgets it. <a href="#/find">Find a person</a><//>`;
}

function AccountView({ id }: { id: string }) {
  const answer = useQuery(accountQuery, { id });
  const searched = subject.value.sessionId;
  return html`<${Answer} of=${answer}>
    ${({ user_account_by_pk: account }: { user_account_by_pk: Account | null }) =>
      account === null
        ? html`<${Heading}>No such account<//
            ><${Empty}>It was erased, or never was. <a href="#/find">Find a person</a><//>`
        : html`<header class="person">
              <div>
                <${Heading}>${account.phone ?? account.email ?? "No phone"}<//>
                <${AccountBadge} account=${account} />
              </div>
              <${AccountActions} account=${account} reload=${answer.reload} />
            </header>
            <${Facts} account=${account} />
            ${searched !== undefined && html`<${FoundSession} id=${searched} />`}
            <div class="columns">
              <${Story} identifier=${account.phone ?? account.email ?? ""} account=${account} />
              <div>
                <${Limits} identifier=${account.phone ?? ""} accountId=${account.id} />
                <${Factors} userId=${account.id} />
                <${Sessions} userId=${account.id} />
              </div>
            </div>`}
  <//>`;
}

const Facts = ({ account }: { account: Account }) =>
  html`<dl class="facts">
    <div>
      <dt>Account id</dt>
      <dd><code>${account.id}</code></dd>
    </div>
    <div>
      <dt>Email</dt>
      <dd>${account.email ?? "none"}</dd>
    </div>
    <div>
      <dt>Made</dt>
      <dd><${Moment} at=${account.created_at} /></dd>
    </div>
    <div>
      <dt>Phone verified</dt>
      <dd><${Moment} at=${account.phone_verified_at} /></dd>
    </div>
    ${
      account.disabled_at !== null &&
      html`<div class="wide">
        <dt>Disabled</dt>
        <dd><${Moment} at=${account.disabled_at} />: ${account.disabled_reason}</dd>
      </div>`
    }
    ${
      account.deletion_due_at !== null &&
      html`<div class="wide">
        <dt>Deletion</dt>
        <dd>
          Its owner deleted it. It is erased at <${Moment} at=${account.deletion_due_at} /> unless they sign in before.
        </dd>
      </div>`
    }
  </dl>`;
