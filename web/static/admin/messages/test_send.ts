import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { sendTest } from "../documents/message_documents.ts";
import { storyQuery, type DeliveryEvent } from "../documents/person_documents.ts";
import { toPhone } from "../find/find_view.ts";
import { formatClock } from "../format.ts";
import { ask } from "../graphql_access.ts";
import { Empty, Problem } from "../parts.ts";
import { useAction, useQuery } from "../requests.ts";
import { toneOf } from "../person/story_events.ts";

const pollMs = 1_500;
/** A receipt may come minutes later: the story of the phone shows it then. */
const mostPolls = 20;

interface Sent {
  phone: string;
  id: string;
  since: string;
}

/** Sends a message by the chosen provider, and shows its outcome. */
export function TestSend({ isReady }: { isReady: boolean }) {
  const [phone, setPhone] = useState("");
  const [language, setLanguage] = useState("");
  const [sent, setSent] = useState<Sent | undefined>();
  const send = useAction(async () => {
    const to = toPhone(phone);
    const answer = await ask(sendTest, { phone: to, language: language || null });
    const id = answer.send_test_message?.id ?? "";
    setSent({ phone: to, id, since: new Date(Date.now() - 3_600_000).toISOString() });
    return "The test message is on its way.";
  });
  const submit = (event: Event) => {
    event.preventDefault();
    send.run();
  };
  return html`<section class="card" aria-labelledby="test-send">
    <h2 id="test-send">Send a test message</h2>
    <p class="soft">
      A real SMS to a phone of yours. Its code opens nothing. <code>OTP_TEST_SENDS</code> limits how many.
    </p>
    <form onSubmit=${submit} aria-busy=${send.isBusy}>
      <div class="filters">
        <label
          >Phone
          <input
            type="tel"
            autocomplete="off"
            required
            placeholder="+1 212 555 0123"
            value=${phone}
            aria-invalid=${send.problem !== ""}
            onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => setPhone(currentTarget.value)}
          />
        </label>
        <label
          >Language
          <input
            autocomplete="off"
            placeholder="default"
            size="8"
            value=${language}
            onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => setLanguage(currentTarget.value.trim())}
          />
        </label>
      </div>
      <${Problem} text=${send.problem} />
      ${!isReady && html`<${Empty}>Choose a provider first.<//>`}
      <div class="buttons">
        <button class="primary" disabled=${send.isBusy || !isReady}>${send.isBusy ? "Sending…" : "Send"}</button>
      </div>
    </form>
    ${sent && html`<${Outcome} key=${sent.id} sent=${sent} />`}
  </section>`;
}

function Outcome({ sent }: { sent: Sent }) {
  const [polls, setPolls] = useState(0);
  const story = useQuery(storyQuery, { phone: sent.phone, since: sent.since });
  useEffect(() => {
    if (polls >= mostPolls) return undefined;
    const timer = setTimeout(() => {
      setPolls(polls + 1);
      story.reload();
    }, pollMs);
    return () => clearTimeout(timer);
  }, [polls]);
  const events = (story.data?.explain_delivery ?? []).filter((event: DeliveryEvent) => event.otp_id === sent.id);
  return html`<div class="answer">
    <${Problem} text=${story.problem} retry=${story.reload} />
    <ol class="story" aria-live="polite">
      ${events.map(
        (event: DeliveryEvent) =>
          html`<li key=${event.what} class=${toneOf(event.what)}>
            <time datetime=${event.at}>${formatClock(event.at)}</time>
            <div>
              <p>${event.what}</p>
              ${event.details !== null && html`<p class="soft">${event.details}</p>`}
            </div>
          </li>`,
      )}
    </ol>
  </div>`;
}
