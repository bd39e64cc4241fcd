import { ApiError } from 'kube-endpoints/port';
import { readGzippedJsonLines } from '../../../../test/support/jsonl.ts';

/** The lines of a golden vector file. */
export const vectors = <Line>(name: string): Line[] => readGzippedJsonLines(new URL(`golden/${name}.jsonl.gz`, import.meta.url));

/** An answer of Kubernetes in the vectors, which omit empty lists. */
export interface Answer {
  readonly value?: unknown;
  readonly strictErrors?: readonly string[];
  readonly fields?: readonly string[];
  readonly error?: { readonly code: number; readonly message: string; readonly reason?: string; readonly details?: Details };
}

interface Details {
  readonly causes?: readonly { readonly message?: string; readonly field?: string }[];
}

/** The result of a function, or its ApiError as an Answer. */
export function answerOf(run: () => Answer): Answer {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, message = '', reason, details } = error.status;
    return sortCauses({ error: { code, message, ...(reason && { reason }), ...(details && { details }) } });
  }
}

/** Go lists the causes of conflicts in random order. */
export function sortCauses(answer: Answer): Answer {
  const { error } = answer;
  const key = ({ message = '', field = '' }) => `${message} ${field}`;
  const causes = error?.details?.causes?.toSorted((left, right) => (key(left) < key(right) ? -1 : 1));
  return error && causes ? { error: { ...error, details: { ...error.details, causes } } } : answer;
}
