import {
  type ClusterZone,
  type DnsAnswer,
  type DnsQuestion,
  type DnsRcode,
  type DnsRecord,
  explainAnswer,
  mendAnswer,
} from 'kube-endpoints/dns';

/** A question, and what the cluster's DNS says. */
export interface Tried {
  readonly question: DnsQuestion;
  /** "REFUSED" where the name is not the cluster's. */
  readonly rcode: DnsRcode;
  readonly answer: readonly DnsRecord[];
  readonly additional: readonly DnsRecord[];
  readonly code: string;
  /** Why, in a sentence. */
  readonly reason: string;
  readonly mend?: string;
  /** Names outside of the cluster that the answer leads to. */
  readonly outside?: readonly string[];
}

/**
 * Asks for one name after the other, each for all types, until there are records, as the resolver of glibc does.
 */
export function lookUpAll(zone: Pick<ClusterZone, 'answer'>, names: readonly string[], types: readonly string[]): readonly Tried[] {
  const tried: Tried[] = [];
  for (const name of names) {
    const answers = types.map((type) => triedOf({ name, type }, zone.answer({ name, type })));
    tried.push(...answers);
    if (answers.some(({ answer }) => answer.length > 0)) break;
  }
  return tried;
}

function triedOf(question: DnsQuestion, { reply, reason, outside, alsoOutside = [] }: DnsAnswer): Tried {
  const mend = mendAnswer(reason);
  return {
    question,
    rcode: reply?.rcode ?? 'REFUSED',
    answer: reply?.answer ?? [],
    additional: reply?.additional ?? [],
    code: reason.code,
    reason: explainAnswer(reason),
    ...(mend !== undefined && { mend }),
    ...(outside && { outside: [outside, ...alsoOutside].map(({ name }) => name) }),
  };
}
