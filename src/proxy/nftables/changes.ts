import type { ContainerFacts, NftablesChain, NftablesCommand, NftablesElement, NftablesRule } from './model.ts';

/** What is to become of chains, sets and maps, and elements. What is the same before and after may be left out, or not. */
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
 * The fewest commands for changes, in an order in which nft takes them: nothing is named before it is there, nothing goes while it is
 * named. A set whose facts change goes and comes again, hence the chains that name it are written anew.
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

/** Whether two sets or maps of one name are alike but for their elements. */
export const isSameContainer = (a: ContainerFacts, b: ContainerFacts): boolean =>
  a.type === b.type && a.timeoutSeconds === b.timeoutSeconds && a.comment === b.comment && `${a.flags}` === `${b.flags}`;

interface Write {
  readonly flush: boolean;
  readonly add: readonly NftablesRule[];
}

/** Rules that only follow those that are there are added; else nft, which knows rules by handles only, gets all of them anew. */
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

/** The elements of what goes go with it. */
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
