import { isDeepStrictEqual } from 'node:util';
import type { Difference } from '../conform.ts';
import type { DnsCaseAnswer, DnsOutcome, DnsTransfer } from './case.ts';

/**
 * Returns the first answer that differs ("web.shop.svc.cluster.local. A", "transfer of cluster.local."); undefined if all are equal.
 * Answers for which the release reports an error are not compared.
 */
export function firstDifference(theirs: DnsCaseAnswer, ours: DnsCaseAnswer): Difference | undefined {
  if (theirs.error !== undefined) return undefined;
  for (const [i, theirAnswer] of comparableAnswers(theirs.answers).entries()) {
    const ourAnswer = ours.answers?.[i];
    if (theirAnswer && !isDeepStrictEqual(theirAnswer, ourAnswer))
      return { path: `${theirAnswer.name} ${theirAnswer.type}`, theirs: theirAnswer, ours: ourAnswer };
  }
  for (const { zone, records } of theirs.transfers ?? []) {
    const ourAnswer = recordsOf(ours.transfers, zone);
    if (records && !isDeepStrictEqual(records, ourAnswer))
      return { path: `transfer of ${zone}`, ...removeCommonRecords(records, ourAnswer ?? []) };
  }
  return undefined;
}

const comparableAnswers = (answers: readonly DnsOutcome[] | undefined): readonly (DnsOutcome | undefined)[] =>
  (answers ?? []).map((answer) => (answer.error === undefined ? answer : undefined));

const recordsOf = (transfers: readonly DnsTransfer[] | undefined, zone: string): readonly string[] | null | undefined =>
  transfers?.find((transfer) => transfer.zone === zone)?.records;

/** Removes the records that both transfers contain, counting duplicates, because transfers are long. */
function removeCommonRecords(theirs: readonly string[], ours: readonly string[]): Pick<Difference, 'theirs' | 'ours'> {
  const subtract = (some: readonly string[], others: readonly string[]): string[] => {
    const remaining = [...others];
    return some.filter((each) => {
      const i = remaining.indexOf(each);
      if (i >= 0) remaining.splice(i, 1);
      return i < 0;
    });
  };
  return { theirs: subtract(theirs, ours), ours: subtract(ours, theirs) };
}
