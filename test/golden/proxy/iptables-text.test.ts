import { describe, expect, it } from 'vitest';
import { formatIptables, iptablesRules } from '../../../src/proxy/index.ts';
import type { IPFamily } from '../../../src/types/index.ts';
import { nodeOf, type ProxyCase, readVectors, viewOf } from './form.ts';

/** The input that kube-proxy passed to iptables-restore at its first sync. */
interface TextAnswer {
  readonly id: string;
  readonly families: Readonly<Record<IPFamily, string>>;
}

const cases = readVectors<ProxyCase>('rules-cases');
const answers = readVectors<TextAnswer>('text-v1.36');

/** Chains of Service ports and endpoints have hashes as names. */
const isNamedByHash = (chain: string): boolean => /^KUBE-(SVC|SVL|EXT|FW|SEP)-[A-Z2-7]{16}$/.test(chain);

/** Chains to which all Service ports add rules. */
const sharedByPorts: readonly string[] = ['KUBE-SERVICES', 'KUBE-NODEPORTS', 'KUBE-EXTERNAL-SERVICES', 'KUBE-PROXY-FIREWALL'];

describe.each<IPFamily>(['IPv4', 'IPv6'])('the text of a first sync, %s,', (family) => {
  const textOf = (testCase: ProxyCase): string =>
    formatIptables(iptablesRules(viewOf(testCase, family, { version: '1.36' }), nodeOf(testCase), { version: '1.36' }), { jumps: false });

  it('matches kube-proxy byte by byte for at most one port, with rules grouped by chain', () => {
    let comparedCount = 0;
    for (const [index, testCase] of cases.entries()) {
      const { ports } = viewOf(testCase, family);
      // kube-proxy merges cluster and local endpoints of a port through a Go map, whose order is random.
      if (ports.length > 1 || ports.some(({ cluster, local }) => cluster && local)) continue;
      comparedCount += 1;
      expect(textOf(testCase), testCase.id).toBe(gatherByChain((answers[index] as TextAnswer).families[family]));
    }
    expect(comparedCount).toBeGreaterThan(20);
  });

  it('matches kube-proxy byte by byte for any number of ports, sorted by chain', () => {
    expect(answers.map(({ id }) => id)).toStrictEqual(cases.map(({ id }) => id));
    for (const [index, testCase] of cases.entries()) {
      const recorded = (answers[index] as TextAnswer).families[family];
      expect(sortByChain(textOf(testCase)), testCase.id).toBe(sortByChain(recorded));
    }
  });
});

/** The chains of a table as declared, and the rules of each chain in order. */
interface TableText {
  readonly name: string;
  readonly chains: string[];
  readonly rules: Map<string, string[]>;
}

function parse(text: string): TableText[] {
  const tables: TableText[] = [];
  for (const line of text.split('\n')) {
    const table = tables.at(-1);
    const chain = /^(?:-A |:)(\S+)/.exec(line)?.[1] ?? '';
    if (line.startsWith('*')) tables.push({ name: line, chains: [], rules: new Map() });
    else if (line.startsWith(':')) table?.chains.push(line);
    else if (line.startsWith('-A')) table?.rules.set(chain, [...(table.rules.get(chain) ?? []), line]);
    else if (line !== 'COMMIT' && line !== '') throw new Error(`unknown kind of line: ${line}`);
  }
  return tables;
}

const nameOf = (declaration: string): string => declaration.slice(1).split(' ')[0] ?? '';

function print(tables: readonly TableText[]): string {
  return tables
    .map(({ name, chains, rules }) => {
      const declared = new Set(chains.map(nameOf));
      for (const chain of rules.keys()) if (!declared.has(chain)) throw new Error(`rules of ${chain}, which is not declared`);
      return [name, ...chains, ...[...declared].flatMap((chain) => rules.get(chain) ?? []), 'COMMIT', ''].join('\n');
    })
    .join('');
}

/** kube-proxy writes rules as it creates them; here the rules of each chain are grouped in the order of the chain declarations. */
const gatherByChain = (text: string): string => print(parse(text));

/** kube-proxy iterates Service ports in Go map order: the order of their chains, and of their rules in shared chains, is random. */
function sortByChain(text: string): string {
  const isLast = (rule: string): boolean => rule.endsWith('-j KUBE-NODEPORTS');
  return print(
    parse(text).map(({ name, chains, rules }) => ({
      name,
      chains: [...chains.filter((each) => !isNamedByHash(nameOf(each))), ...chains.filter((each) => isNamedByHash(nameOf(each))).sort()],
      rules: new Map(
        [...rules].map(([chain, list]) => {
          if (!sharedByPorts.includes(chain)) return [chain, list];
          return [chain, [...list.filter((each) => !isLast(each)).sort(), ...list.filter(isLast)]];
        }),
      ),
    })),
  );
}
