import { html } from "htm/preact";
import { previewSecondFactor, type SecondFactorPreview } from "../documents/setting_documents.ts";
import { formatNumber } from "../format.ts";
import { Answer } from "../parts.ts";
import { useQuery } from "../requests.ts";

const count = (number: number, one: string): string => `${formatNumber(number)} ${one}${number === 1 ? "" : "s"}`;

/** Says whom a value of SECOND_FACTOR concerns, before it is saved. */
export function SecondFactorEffect({ value }: { value: string }) {
  const answer = useQuery(previewSecondFactor, { value });
  return html`<${Answer} of=${answer} busy="Counting accounts…">
    ${({ preview_second_factor: [preview] }: { preview_second_factor: SecondFactorPreview[] }) =>
      preview && !answer.isBusy && html`<p class="effect" role="status">${sentencesOf(value, preview)}</p>`}
  <//>`;
}

function sentencesOf(value: string, { accounts, affected, live_sessions, is_complete }: SecondFactorPreview): string {
  const part = `${formatNumber(affected)} of ${is_complete ? "" : "the latest "}${count(accounts, "account")}`;
  if (value === "required")
    return `${part} have no second factor. Until they add one, their ${count(live_sessions, "live session")} can do nothing else.`;
  return value === "off"
    ? `${part} have a second factor. Nobody is asked for it any more, and a password or code alone signs in.`
    : `${part} have a second factor, and are asked for it when they sign in. Nobody else has to add one.`;
}
