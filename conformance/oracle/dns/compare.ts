import { isDeepStrictEqual } from 'node:util';
import type { Difference } from '../conform.ts';
import type { DnsCaseAnswer, DnsOutcome, DnsTransfer } from './case.ts';

/**
 * The first answer that differs ("web.shop.svc.cluster.local. A", "transfer of cluster.local."); undefined if all are equal. Failures of
 * the release are not compared.
 */
export function firstDifference(theirs: DnsCaseAnswer, ours: DnsCaseAnswer): Difference | undefined {
  if (theirs.error !== undefined) return undefined;
  for (const [i, their] of comparable(theirs.answers).entries()) {
    const our = ours.answers?.[i];
    if (their && !isDeepStrictEqual(their, our)) return { path: `${their.name} ${their.type}`, theirs: their, ours: our };
  }
  for (const { zone, records } of theirs.transfers ?? []) {
    const our = recordsOf(ours.transfers, zone);
    if (records && !isDeepStrictEqual(records, our)) return { path: `transfer of ${zone}`, ...onlyIn(records, our ?? []) };
  }
  return undefined;
}

const comparable = (answers: readonly DnsOutcome[] | undefined): readonly (DnsOutcome | undefined)[] =>
  (answers ?? []).map((answer) => (answer.error === undefined ? answer : undefined));

const recordsOf = (transfers: readonly DnsTransfer[] | undefined, zone: string): readonly string[] | null | undefined =>
  transfers?.find((transfer) => transfer.zone === zone)?.records;

/** Removes the records that both transfers contain, counting duplicates, because transfers are long. */
function onlyIn(theirs: readonly string[], ours: readonly string[]): Pick<Difference, 'theirs' | 'ours'> {
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
