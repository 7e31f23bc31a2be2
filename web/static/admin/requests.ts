import { useEffect, useState } from "preact/hooks";
import { ask, sentence, type Document } from "./graphql_access.ts";
import { notice } from "./state.ts";

export interface Loaded<Data> {
  /** The last answer, also while the next one is awaited. */
  data: Data | undefined;
  problem: string;
  isBusy: boolean;
  reload: () => void;
}

interface State<Data> {
  data: Data | undefined;
  problem: string;
  /** The run and variables that the answer belongs to. */
  answers: string;
}

/** Sends the query when the component appears and when the variables change. Ignores the answer to an earlier query. */
export function useQuery<Data, Variables>(query: Document<Data, Variables>, variables: Variables): Loaded<Data> {
  const key = JSON.stringify(variables);
  const [state, setState] = useState<State<Data>>({ data: undefined, problem: "", answers: "" });
  const [run, setRun] = useState(0);
  const current = `${run} ${key}`;
  useEffect(() => {
    let isCurrent = true;
    ask(query, variables).then(
      (data) => {
        if (isCurrent) setState({ data, problem: "", answers: current });
      },
      (error: unknown) => {
        if (isCurrent) setState((last) => ({ ...last, problem: sentence(error), answers: current }));
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [query, current]);
  const { data, problem, answers } = state;
  // Computed here and not in the effect, which runs later: until then a second click would act on the old answer.
  return { data, problem, isBusy: answers !== current, reload: () => setRun((last) => last + 1) };
}

const noticeMs = 8_000;
let noticeTimer: ReturnType<typeof setTimeout> | undefined;

/** Shows for a while what was done, also to screen readers. */
function announce(done: string): void {
  notice.value = done;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => {
    notice.value = "";
  }, noticeMs);
}

export interface Action<Arguments extends unknown[]> {
  run: (...args: Arguments) => void;
  problem: string;
  isBusy: boolean;
}

/**
 * An action of the operator, with its progress and its failure as a sentence.
 * @param act resolves with a sentence that says what it has done
 */
export function useAction<Arguments extends unknown[]>(
  act: (...args: Arguments) => Promise<string>,
): Action<Arguments> {
  const [state, setState] = useState({ problem: "", isBusy: false });
  return {
    ...state,
    run(...args) {
      setState({ problem: "", isBusy: true });
      notice.value = "";
      act(...args).then(
        (done) => {
          announce(done);
          setState({ problem: "", isBusy: false });
        },
        (error: unknown) => setState({ problem: sentence(error), isBusy: false }),
      );
    },
  };
}
