import { html } from "htm/preact";
import { refusalQuery } from "../documents/find_documents.ts";
import { Answer, Moment } from "../parts.ts";
import { useQuery } from "../requests.ts";

interface Refusal {
  at: string;
  what: string;
  details: string | null;
}

/** What refused the request that has this id, or why nothing is stored of it. */
export function RequestRefusal({ id }: { id: string }) {
  const answer = useQuery(refusalQuery, { id });
  return html`<section class="card" aria-labelledby="refusal">
    <h2 id="refusal">As the id of a request</h2>
    <${Answer} of=${answer} busy="Asking what refused it…">
      ${({ explain_refusal: refusals }: { explain_refusal: Refusal[] }) =>
        html`<ul>
          ${refusals.map(
            ({ at, what, details }) =>
              html`<li key=${at + what}>
                <${Moment} at=${at} /> ${what}
                <p class="soft">${details}</p>
              </li>`,
          )}
        </ul>`}
    <//>
  </section>`;
}
