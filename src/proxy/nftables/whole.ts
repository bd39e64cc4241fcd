import type { IPFamily } from '../../apimachinery/index.ts';
import type { ContainerFacts, NftablesCommand, NftablesMap, NftablesRules, NftablesTable, NftablesTransaction } from './model.ts';

/** What makes a table, whatever there was of it. A table has to be there to be deleted, hence it is added before. */
export function wholeTable({ family, table, chains, sets, maps }: NftablesRules): NftablesTransaction {
  const commands: NftablesCommand[] = [
    { verb: 'add', object: 'table', table },
    { verb: 'delete', object: 'table', table },
    { verb: 'add', object: 'table', table },
  ];
  // as there are many, commands about one chain share its name
  const named = chains.map(({ name }) => ({ name }));
  chains.forEach(({ rules: _, ...chain }, i) => {
    commands.push({ verb: 'add', object: 'chain', chain: chain.base || chain.comment !== undefined ? chain : (named[i] as typeof chain) });
  });
  for (const set of sets) commands.push({ verb: 'add', object: 'set', container: factsOf(set) });
  for (const map of maps) commands.push({ verb: 'add', object: 'map', container: factsOf(map) });
  chains.forEach(({ rules }, i) => {
    for (const rule of rules) commands.push({ verb: 'add', object: 'rule', chain: named[i] as { name: string }, rule });
  });
  for (const { name, elements } of [...sets, ...maps].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const container = { name };
    for (const element of elements) commands.push({ verb: 'add', object: 'element', container, element });
  }
  return { family, commands };
}

/** A set or a map without its elements. */
export const factsOf = ({ elements: _, ...facts }: NftablesMap): ContainerFacts => facts;

/** The table of a family. */
export const tableOf = (family: IPFamily): NftablesTable => ({
  family: family === 'IPv6' ? 'ip6' : 'ip',
  name: 'kube-proxy',
  comment: 'rules for kube-proxy',
});
