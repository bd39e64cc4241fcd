import {
  type NftablesChain,
  type NftablesCommand,
  type NftablesContainer,
  type NftablesElement,
  type NftablesMap,
  type NftablesRule,
  type NftablesRules,
  type NftablesTransaction,
  replaceTable,
} from './model.ts';

/**
 * Computes the smallest transaction from the old rules to the new rules; the whole table if there are no old rules or the table differs. A
 * changed chain is rewritten; established connections continue, because conntrack already tracks them.
 */
export function diffNftables(before: NftablesRules | undefined, after: NftablesRules): NftablesTransaction {
  if (!before || !isSameTable(before, after)) return replaceTable(after);
  const commands = orderChanges({
    chains: pairByName(before.chains, after.chains),
    containers: [...pairContainers('set', before.sets, after.sets), ...pairContainers('map', before.maps, after.maps)],
    elements: [...pairElements(before.sets, after.sets), ...pairElements(before.maps, after.maps)],
  });
  return { family: after.family, commands };
}

/** Whether the table can be changed in place. Base chains and comments of chains cannot be altered; kube-proxy never changes them. */
function isSameTable(before: NftablesRules, after: NftablesRules): boolean {
  const maps = new Set(after.maps.map(({ name }) => name));
  if (before.family !== after.family || before.sets.some(({ name }) => maps.has(name))) return false;
  return pairByName(before.chains, after.chains).every(isSameChain);
}

const isSameChain = ({ before, after }: ChainChange): boolean => !before || !after || signatureOf(before) === signatureOf(after);

const signatureOf = ({ base, comment }: NftablesChain): string =>
  [base?.type ?? '', base?.hook ?? '', base?.priority ?? '', comment ?? ''].join('\n');

const pairContainers = (
  object: ContainerChange['object'],
  before: readonly NftablesMap[],
  after: readonly NftablesMap[],
): ContainerChange[] =>
  pairByName(before, after).map((change) => ({ object, before: propertiesOf(change.before), after: propertiesOf(change.after) }));

function propertiesOf(container: NftablesMap | undefined): ContainerChange['before'] {
  if (!container) return undefined;
  const { elements: _, ...properties } = container;
  return properties;
}

const pairElements = (before: readonly NftablesMap[], after: readonly NftablesMap[]): ElementChange[] =>
  pairByName(before, after).flatMap((containers) => {
    const container = (containers.after ?? containers.before)?.name ?? '';
    const elements = pairBy(containers.before?.elements ?? [], containers.after?.elements ?? [], ({ key }) => key);
    return elements.map((change) => ({ container, ...change }));
  });

interface Pair<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

const pairByName = <T extends { readonly name: string }>(before: readonly T[], after: readonly T[]): Pair<T>[] =>
  pairBy(before, after, ({ name }) => name);

/** Pairs old and new items by key; an item without a counterpart is paired with undefined. Old items come first. */
export function pairBy<T>(before: readonly T[], after: readonly T[], keyOf: (each: T) => string): Pair<T>[] {
  const newItems = new Map(after.map((each) => [keyOf(each), each] as const));
  const oldKeys = new Set(before.map(keyOf));
  return [
    ...before.map((each) => ({ before: each, after: newItems.get(keyOf(each)) })),
    ...after.filter((each) => !oldKeys.has(keyOf(each))).map((each) => ({ before: undefined, after: each })),
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
  readonly before: NftablesContainer | undefined;
  readonly after: NftablesContainer | undefined;
}

export interface ElementChange {
  readonly container: string;
  readonly before: NftablesElement | undefined;
  readonly after: NftablesElement | undefined;
}

/**
 * Plans the fewest commands for the changes, in an order that nft accepts: an object is created before it is referenced, and deleted after
 * its last reference. A set whose properties change is deleted and re-created, so chains that refer to it are rewritten.
 */
export function orderChanges({ chains, containers, elements }: TableChanges): NftablesCommand[] {
  const deletedContainers = containers.filter(({ before, after }) => before && !(after && isSameContainer(before, after)));
  const deletedContainerNames = new Set(deletedContainers.map(({ before }) => before?.name));
  const writes = chains.map((change) => planChainWrite(change, deletedContainerNames));
  const addedContainers = containers.filter(({ before, after }) => after && (!before || deletedContainerNames.has(after.name)));
  return [
    ...elements.flatMap((change) => createDeleteCommands(change, deletedContainerNames)),
    ...chains.flatMap(({ before }, i) =>
      before && writes[i]?.flush ? [{ verb: 'flush', object: 'chain', chain: referenceTo(before) } as const] : [],
    ),
    ...deletedContainers.map(({ object, before }) => ({ verb: 'delete', object, container: referenceTo(before) }) as const),
    ...chains.flatMap(({ before, after }) =>
      after && !before ? [{ verb: 'add', object: 'chain', chain: withoutRules(after) } as const] : [],
    ),
    ...addedContainers.map(({ object, after }) => ({ verb: 'add', object, container: after as NftablesContainer }) as const),
    ...chains.flatMap(({ after }, i) => (after ? (writes[i]?.add ?? []).map((rule) => createAddRuleCommand(after, rule)) : [])),
    ...elements.flatMap((change) => createAddCommands(change, deletedContainerNames)),
    ...chains.flatMap(({ before, after }) =>
      before && !after ? [{ verb: 'delete', object: 'chain', chain: referenceTo(before) } as const] : [],
    ),
  ];
}

/** Whether two sets or maps of the same name are equal apart from their elements. */
export const isSameContainer = (a: NftablesContainer, b: NftablesContainer): boolean =>
  a.type === b.type && a.timeoutSeconds === b.timeoutSeconds && a.comment === b.comment && `${a.flags}` === `${b.flags}`;

interface ChainWrite {
  readonly flush: boolean;
  readonly add: readonly NftablesRule[];
}

/**
 * Plans the writes of a chain. Appends rules after the existing ones. Any other change rewrites the chain, because nft deletes single rules
 * by handle only.
 */
function planChainWrite({ before, after }: ChainChange, deletedContainerNames: ReadonlySet<string | undefined>): ChainWrite {
  const [oldRules, newRules] = [before?.rules ?? [], after?.rules ?? []];
  const keepsOldRules = oldRules.length <= newRules.length && oldRules.every((rule, i) => isSameRule(rule, newRules[i] as NftablesRule));
  if (keepsOldRules && !(deletedContainerNames.size > 0 && oldRules.some(({ text }) => refersToAny(text, deletedContainerNames))))
    return { flush: false, add: newRules.slice(oldRules.length) };
  return { flush: oldRules.length > 0, add: newRules };
}

const isSameRule = (a: NftablesRule, b: NftablesRule): boolean => a.text === b.text && a.comment === b.comment;

const refersToAny = (text: string, names: ReadonlySet<string | undefined>): boolean =>
  text.split(' ').some((word) => word.startsWith('@') && names.has(word.slice(1)));

const isSameElement = (a: NftablesElement | undefined, b: NftablesElement | undefined): boolean =>
  a?.value === b?.value && a?.comment === b?.comment;

/** Creates the command that deletes a removed or changed element. Deleting a set or map deletes its elements, so these need no command. */
function createDeleteCommands(
  { container, before, after }: ElementChange,
  deletedContainerNames: ReadonlySet<string | undefined>,
): NftablesCommand[] {
  if (!before || deletedContainerNames.has(container) || (after && isSameElement(before, after))) return [];
  return [{ verb: 'delete', object: 'element', container: { name: container }, element: before }];
}

function createAddCommands(
  { container, before, after }: ElementChange,
  deletedContainerNames: ReadonlySet<string | undefined>,
): NftablesCommand[] {
  if (!after || (before && isSameElement(before, after) && !deletedContainerNames.has(container))) return [];
  return [{ verb: 'add', object: 'element', container: { name: container }, element: after }];
}

const referenceTo = (item: { readonly name: string } | undefined): { readonly name: string } => ({ name: item?.name ?? '' });

const withoutRules = ({ rules: _, ...chain }: NftablesChain): Omit<NftablesChain, 'rules'> => chain;

const createAddRuleCommand = ({ name }: NftablesChain, rule: NftablesRule): NftablesCommand => ({
  verb: 'add',
  object: 'rule',
  chain: { name },
  rule,
});
