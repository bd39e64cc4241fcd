import {
  type ContainerFacts,
  type NftablesChain,
  type NftablesCommand,
  type NftablesElement,
  type NftablesMap,
  type NftablesRule,
  type NftablesRules,
  type NftablesTransaction,
  wholeTable,
} from './model.ts';

/**
 * The smallest transaction from one set of rules to another; the whole table if there was none or the table itself differs. A changed chain
 * is rewritten; established connections continue, as conntrack already tracks them.
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

/** Base chains and comments of chains cannot be altered. kube-proxy never changes them. */
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

/** Pairs items by key; the other side is undefined if a key is on one side only. Old items come first, then new ones. */
export function pairBy<T>(before: readonly T[], after: readonly T[], keyOf: (each: T) => string): Pair<T>[] {
  const fresh = new Map(after.map((each) => [keyOf(each), each] as const));
  const old = new Set(before.map(keyOf));
  return [
    ...before.map((each) => ({ before: each, after: fresh.get(keyOf(each)) })),
    ...after.filter((each) => !old.has(keyOf(each))).map((each) => ({ before: undefined, after: each })),
  ];
}

/** Changes of chains, sets, maps and elements. Unchanged items may be included or omitted. */
export interface TableChanges {
  readonly chains: readonly ChainChange[];
  readonly containers: readonly ContainerChange[];
  readonly elements: readonly ElementChange[];
}

export interface ChainChange {
  readonly before: NftablesChain | undefined;
  readonly after: NftablesChain | undefined;
}

export interface ContainerChange {
  readonly object: 'set' | 'map';
  readonly before: ContainerFacts | undefined;
  readonly after: ContainerFacts | undefined;
}

export interface ElementChange {
  readonly container: string;
  readonly before: NftablesElement | undefined;
  readonly after: NftablesElement | undefined;
}

/**
 * The fewest commands for the changes, in an order that nft accepts: nothing is referenced before it exists or deleted while referenced. A
 * set whose properties change is deleted and re-created, so chains that refer to it are rewritten.
 */
export function orderChanges({ chains, containers, elements }: TableChanges): NftablesCommand[] {
  const replaced = containers.filter(({ before, after }) => before && !(after && isSameContainer(before, after)));
  const gone = new Set(replaced.map(({ before }) => before?.name));
  const writes = chains.map((change) => rulesToWrite(change, gone));
  const come = containers.filter(({ before, after }) => after && (!before || gone.has(after.name)));
  return [
    ...elements.flatMap((change) => takeOut(change, gone)),
    ...chains.flatMap(({ before }, i) =>
      before && writes[i]?.flush ? [{ verb: 'flush', object: 'chain', chain: named(before) } as const] : [],
    ),
    ...replaced.map(({ object, before }) => ({ verb: 'delete', object, container: named(before) }) as const),
    ...chains.flatMap(({ before, after }) =>
      after && !before ? [{ verb: 'add', object: 'chain', chain: withoutRules(after) } as const] : [],
    ),
    ...come.map(({ object, after }) => ({ verb: 'add', object, container: after as ContainerFacts }) as const),
    ...chains.flatMap(({ after }, i) => (after ? (writes[i]?.add ?? []).map((rule) => addRule(after, rule)) : [])),
    ...elements.flatMap((change) => putIn(change, gone)),
    ...chains.flatMap(({ before, after }) =>
      before && !after ? [{ verb: 'delete', object: 'chain', chain: named(before) } as const] : [],
    ),
  ];
}

/** Whether two sets or maps of the same name are equal apart from their elements. */
export const isSameContainer = (a: ContainerFacts, b: ContainerFacts): boolean =>
  a.type === b.type && a.timeoutSeconds === b.timeoutSeconds && a.comment === b.comment && `${a.flags}` === `${b.flags}`;

interface Write {
  readonly flush: boolean;
  readonly add: readonly NftablesRule[];
}

/** Rules after the existing ones are appended. Any other change rewrites the chain, because nft deletes single rules by handle only. */
function rulesToWrite({ before, after }: ChainChange, gone: ReadonlySet<string | undefined>): Write {
  const [old, fresh] = [before?.rules ?? [], after?.rules ?? []];
  const stays = old.length <= fresh.length && old.every((rule, i) => isSameRule(rule, fresh[i] as NftablesRule));
  if (stays && !(gone.size > 0 && old.some(({ text }) => namesOneOf(text, gone)))) return { flush: false, add: fresh.slice(old.length) };
  return { flush: old.length > 0, add: fresh };
}

const isSameRule = (a: NftablesRule, b: NftablesRule): boolean => a.text === b.text && a.comment === b.comment;

const namesOneOf = (text: string, names: ReadonlySet<string | undefined>): boolean =>
  text.split(' ').some((word) => word.startsWith('@') && names.has(word.slice(1)));

const isSameElement = (a: NftablesElement | undefined, b: NftablesElement | undefined): boolean =>
  a?.value === b?.value && a?.comment === b?.comment;

/** Deleting a set or map deletes its elements, so these need no command. */
function takeOut({ container, before, after }: ElementChange, gone: ReadonlySet<string | undefined>): NftablesCommand[] {
  if (!before || gone.has(container) || (after && isSameElement(before, after))) return [];
  return [{ verb: 'delete', object: 'element', container: { name: container }, element: before }];
}

function putIn({ container, before, after }: ElementChange, gone: ReadonlySet<string | undefined>): NftablesCommand[] {
  if (!after || (before && isSameElement(before, after) && !gone.has(container))) return [];
  return [{ verb: 'add', object: 'element', container: { name: container }, element: after }];
}

const named = (thing: { readonly name: string } | undefined): { readonly name: string } => ({ name: thing?.name ?? '' });

const withoutRules = ({ rules: _, ...chain }: NftablesChain): Omit<NftablesChain, 'rules'> => chain;

const addRule = ({ name }: NftablesChain, rule: NftablesRule): NftablesCommand => ({ verb: 'add', object: 'rule', chain: { name }, rule });
