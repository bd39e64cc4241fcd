import type { NftablesRules, NftablesTransaction } from '../../../src/proxy/index.ts';
import type {
  ContainerFacts,
  NftablesChain,
  NftablesCommand,
  NftablesElement,
  NftablesRule,
  NftablesTable,
} from '../../../src/proxy/nftables/model.ts';

/** Applies a transaction to a table as nft would. Throws if nft would: if an object is missing or still referenced. */
export function apply(before: NftablesRules | undefined, { family, commands }: NftablesTransaction): NftablesRules {
  const state: State = { table: before?.table, chains: new Map(), containers: new Map() };
  for (const { rules, ...chain } of before?.chains ?? []) state.chains.set(chain.name, { facts: chain, rules: [...rules] });
  for (const object of ['set', 'map'] as const) {
    for (const { elements, ...facts } of before?.[`${object}s`] ?? [])
      state.containers.set(facts.name, { object, facts, elements: new Map(elements.map((each) => [each.key, each])) });
  }
  for (const command of commands) run(state, command);
  if (!state.table) throw new Error('no table');
  const ofKind = (object: Container['object']) =>
    [...state.containers.values()]
      .filter((each) => each.object === object)
      .sort(byName)
      .map(({ facts, elements }) => ({
        ...facts,
        elements: [...elements.values()].sort((a, b) => (a.key < b.key ? -1 : 1)),
      }));
  const chains = [...state.chains.values()].sort(byName).map(({ facts, rules }) => ({ ...facts, rules }));
  return { family, table: state.table, chains, sets: ofKind('set'), maps: ofKind('map') };
}

interface Chain {
  readonly facts: Omit<NftablesChain, 'rules'>;
  rules: NftablesRule[];
}

interface Container {
  readonly object: 'set' | 'map';
  readonly facts: ContainerFacts;
  readonly elements: Map<string, NftablesElement>;
}

interface State {
  table: NftablesTable | undefined;
  readonly chains: Map<string, Chain>;
  readonly containers: Map<string, Container>;
}

const byName = (a: { facts: { name: string } }, b: { facts: { name: string } }): number => (a.facts.name < b.facts.name ? -1 : 1);

function run(state: State, command: NftablesCommand): void {
  if (command.object !== 'table' && !state.table) throw new Error('no table');
  if (command.object === 'table') onTable(state, command);
  else if (command.object === 'chain') onChain(state, command);
  else if (command.object === 'element') onElement(state, command);
  else if (command.object === 'rule') {
    seen(state, wordsOf(command.rule.text));
    chainOf(state, command.chain.name).rules.push(command.rule);
  } else onContainer(state, command);
}

/** Adding an existing table is allowed, as in nft. */
function onTable(state: State, { verb, table }: NftablesCommand & { object: 'table' }): void {
  state.table = verb === 'add' ? table : undefined;
  if (verb === 'add') return;
  state.chains.clear();
  state.containers.clear();
}

function onChain(state: State, command: NftablesCommand & { object: 'chain' }): void {
  const { name } = command.chain;
  if (command.verb === 'add') {
    if (state.chains.has(name)) throw new Error(`chain ${name}: added twice`);
    state.chains.set(name, { facts: command.chain, rules: [] });
    return;
  }
  const chain = chainOf(state, name);
  if (command.verb === 'flush') chain.rules = [];
  else if (chain.rules.length > 0 || named(state, name)) throw new Error(`chain ${name}: busy`);
  else state.chains.delete(name);
}

function onContainer(state: State, command: NftablesCommand & { object: 'set' | 'map' }): void {
  const { name } = command.container;
  const there = state.containers.get(name);
  if (command.verb === 'add') {
    if (there) throw new Error(`${name}: added twice`);
    state.containers.set(name, { object: command.object, facts: command.container, elements: new Map() });
    return;
  }
  if (there?.object !== command.object || named(state, `@${name}`)) throw new Error(`${command.object} ${name}: not there, or busy`);
  state.containers.delete(name);
}

function onElement(state: State, { verb, container, element }: NftablesCommand & { object: 'element' }): void {
  const elements = state.containers.get(container.name)?.elements;
  if (!elements || elements.has(element.key) === (verb === 'add')) throw new Error(`${verb} element ${container.name} ${element.key}`);
  if (verb === 'delete') elements.delete(element.key);
  else {
    seen(state, wordsOf(element.value ?? ''));
    elements.set(element.key, element);
  }
}

function chainOf(state: State, name: string): Chain {
  const chain = state.chains.get(name);
  if (!chain) throw new Error(`chain ${name}: not there`);
  return chain;
}

/** Chain names after goto and jump, and "@" with the names of sets and maps. */
function wordsOf(text: string): string[] {
  const words = text.split(' ');
  return words.filter((word, i) => word.startsWith('@') || ['goto', 'jump'].includes(words[i - 1] ?? ''));
}

function seen(state: State, words: readonly string[]): void {
  for (const word of words) {
    if (word.startsWith('@') ? !state.containers.has(word.slice(1)) : !state.chains.has(word)) throw new Error(`${word}: not there`);
  }
}

function named(state: State, word: string): boolean {
  const inRules = [...state.chains.values()].some(({ rules }) => rules.some(({ text }) => wordsOf(text).includes(word)));
  return (
    inRules ||
    [...state.containers.values()].some(({ elements }) => [...elements.values()].some(({ value }) => wordsOf(value ?? '').includes(word)))
  );
}
