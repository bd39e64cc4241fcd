import { type ChainChange, type ContainerChange, type ElementChange, orderChanges } from './changes.ts';
import type { NftablesChain, NftablesMap, NftablesRules, NftablesTransaction } from './model.ts';
import { wholeTable } from './whole.ts';

/**
 * The least transaction that makes one set of rules of another; without the former, or where the table itself is another, all of it.
 * A chain whose rules change is written anew; connections that live go on, for they are in conntrack by then.
 */
export function diffNftables(before: NftablesRules | undefined, after: NftablesRules): NftablesTransaction {
  if (!before || !isSameTable(before, after)) return wholeTable(after);
  const commands = orderChanges({
    chains: pair(before.chains, after.chains),
    containers: [...containerChanges('set', before.sets, after.sets), ...containerChanges('map', before.maps, after.maps)],
    elements: [...elementChanges(before.sets, after.sets), ...elementChanges(before.maps, after.maps)],
  });
  return { family: after.family, commands };
}

/** Chains that packets enter cannot be altered, nor can comments of chains; kube-proxy has the same ones always. */
function isSameTable(before: NftablesRules, after: NftablesRules): boolean {
  const maps = new Set(after.maps.map(({ name }) => name));
  if (before.family !== after.family || before.sets.some(({ name }) => maps.has(name))) return false;
  return pair(before.chains, after.chains).every(isSameChain);
}

const isSameChain = ({ before, after }: ChainChange): boolean => !before || !after || signatureOf(before) === signatureOf(after);

const signatureOf = ({ base, comment }: NftablesChain): string =>
  [base?.type ?? '', base?.hook ?? '', base?.priority ?? '', comment ?? ''].join('\n');

const containerChanges = (
  object: ContainerChange['object'],
  before: readonly NftablesMap[],
  after: readonly NftablesMap[],
): ContainerChange[] =>
  pair(before, after).map((change) => ({ object, before: factsOrNone(change.before), after: factsOrNone(change.after) }));

function factsOrNone(container: NftablesMap | undefined): ContainerChange['before'] {
  if (!container) return undefined;
  const { elements: _, ...facts } = container;
  return facts;
}

const elementChanges = (before: readonly NftablesMap[], after: readonly NftablesMap[]): ElementChange[] =>
  pair(before, after).flatMap((containers) => {
    const container = (containers.after ?? containers.before)?.name ?? '';
    const elements = pairBy(containers.before?.elements ?? [], containers.after?.elements ?? [], ({ key }) => key);
    return elements.map((change) => ({ container, ...change }));
  });

interface Pair<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

const pair = <T extends { readonly name: string }>(before: readonly T[], after: readonly T[]): Pair<T>[] =>
  pairBy(before, after, ({ name }) => name);

/** What has one key before and after, and what has it on one side only: first what there was, then what is new. */
export function pairBy<T>(before: readonly T[], after: readonly T[], keyOf: (each: T) => string): Pair<T>[] {
  const fresh = new Map(after.map((each) => [keyOf(each), each] as const));
  const old = new Set(before.map(keyOf));
  return [
    ...before.map((each) => ({ before: each, after: fresh.get(keyOf(each)) })),
    ...after.filter((each) => !old.has(keyOf(each))).map((each) => ({ before: undefined, after: each })),
  ];
}
