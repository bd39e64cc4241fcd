import type { Reason } from 'kube-endpoints/explain';

/** A reason as one line of text: "PodTerminal: the sentence (pod.status.phase, since 1.25)". */
export function formatReason({ code, message, path, since, until }: Reason): string {
  const range = [path, since === undefined ? '' : `since ${since}`, until === undefined ? '' : `until ${until}`];
  return `${code}: ${message.replace(/\.$/, '')} (${range.filter(Boolean).join(', ')})`;
}
