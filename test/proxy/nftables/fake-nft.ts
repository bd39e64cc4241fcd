import type { NftablesRules, NftablesTransaction } from '../../../src/proxy/index.ts';
import type {
  NftablesChain,
  NftablesCommand,
  NftablesContainer,
  NftablesElement,
  NftablesRule,
  NftablesTable,
} from '../../../src/proxy/nftables/model.ts';

/** Applies a transaction to a table as nft would. Throws if nft would: if an object is missing or still referenced. */
export function apply(before: NftablesRules | undefined, { family, commands }: NftablesTransaction): NftablesRules {
  const state: State = { table: before?.table, chains: new Map(), containers: new Map() };
  for (const { rules, ...chain } of before?.chains ?? []) state.chains.set(chain.name, { properties: chain, rules: [...rules] });
  for (const object of ['set', 'map'] as const) {
    for (const { elements, ...properties } of before?.[`${object}s`] ?? [])
      state.containers.set(properties.name, { object, properties, elements: new Map(elements.map((each) => [each.key, each])) });
  }
  for (const command of commands) run(state, command);
  if (!state.table) throw new Error('no table');
  const listContainers = (object: Container['object']) =>
    [...state.containers.values()]
      .filter((each) => each.object === object)
      .sort(byName)
      .map(({ properties, elements }) => ({
        ...properties,
        elements: [...elements.values()].sort((a, b) => (a.key < b.key ? -1 : 1)),
      }));
  const chains = [...state.chains.values()].sort(byName).map(({ properties, rules }) => ({ ...properties, rules }));
  return { family, table: state.table, chains, sets: listContainers('set'), maps: listContainers('map') };
}

interface Chain {
  readonly properties: Omit<NftablesChain, 'rules'>;
  rules: NftablesRule[];
}

interface Container {
  readonly object: 'set' | 'map';
  readonly properties: NftablesContainer;
  readonly elements: Map<string, NftablesElement>;
}

interface State {
  table: NftablesTable | undefined;
  readonly chains: Map<string, Chain>;
  readonly containers: Map<string, Container>;
}

const byName = (a: { properties: { name: string } }, b: { properties: { name: string } }): number =>
  a.properties.name < b.properties.name ? -1 : 1;

function run(state: State, command: NftablesCommand): void {
  if (command.object !== 'table' && !state.table) throw new Error('no table');
  if (command.object === 'table') runOnTable(state, command);
  else if (command.object === 'chain') runOnChain(state, command);
  else if (command.object === 'element') runOnElement(state, command);
  else if (command.object === 'rule') {
    checkReferences(state, referencesIn(command.rule.text));
    chainOf(state, command.chain.name).rules.push(command.rule);
  } else runOnContainer(state, command);
}

/** Adding an existing table is allowed, as in nft. */
function runOnTable(state: State, { verb, table }: NftablesCommand & { object: 'table' }): void {
  state.table = verb === 'add' ? table : undefined;
  if (verb === 'add') return;
  state.chains.clear();
  state.containers.clear();
}

function runOnChain(state: State, command: NftablesCommand & { object: 'chain' }): void {
  const { name } = command.chain;
  if (command.verb === 'add') {
    if (state.chains.has(name)) throw new Error(`chain ${name}: added twice`);
    state.chains.set(name, { properties: command.chain, rules: [] });
    return;
  }
  const chain = chainOf(state, name);
  if (command.verb === 'flush') chain.rules = [];
  else if (chain.rules.length > 0 || isReferenced(state, name)) throw new Error(`chain ${name}: still referenced`);
  else state.chains.delete(name);
}

function runOnContainer(state: State, command: NftablesCommand & { object: 'set' | 'map' }): void {
  const { name } = command.container;
  const existing = state.containers.get(name);
  if (command.verb === 'add') {
    if (existing) throw new Error(`${name}: added twice`);
    state.containers.set(name, { object: command.object, properties: command.container, elements: new Map() });
    return;
  }
  if (existing?.object !== command.object || isReferenced(state, `@${name}`))
    throw new Error(`${command.object} ${name}: missing or still referenced`);
  state.containers.delete(name);
}

function runOnElement(state: State, { verb, container, element }: NftablesCommand & { object: 'element' }): void {
  const elements = state.containers.get(container.name)?.elements;
  if (!elements || elements.has(element.key) === (verb === 'add')) throw new Error(`${verb} element ${container.name} ${element.key}`);
  if (verb === 'delete') elements.delete(element.key);
  else {
    checkReferences(state, referencesIn(element.value ?? ''));
    elements.set(element.key, element);
  }
}

function chainOf(state: State, name: string): Chain {
  const chain = state.chains.get(name);
  if (!chain) throw new Error(`chain ${name}: missing`);
  return chain;
}

/** Chain names after goto and jump, and "@" with the names of sets and maps. */
function referencesIn(text: string): string[] {
  const words = text.split(' ');
  return words.filter((word, i) => word.startsWith('@') || ['goto', 'jump'].includes(words[i - 1] ?? ''));
}

function checkReferences(state: State, words: readonly string[]): void {
  for (const word of words) {
    if (word.startsWith('@') ? !state.containers.has(word.slice(1)) : !state.chains.has(word)) throw new Error(`${word}: missing`);
  }
}

function isReferenced(state: State, word: string): boolean {
  const isInRules = [...state.chains.values()].some(({ rules }) => rules.some(({ text }) => referencesIn(text).includes(word)));
  return (
    isInRules ||
    [...state.containers.values()].some(({ elements }) =>
      [...elements.values()].some(({ value }) => referencesIn(value ?? '').includes(word)),
    )
  );
}
