import type { Check } from './checks.ts';
import { inNamespace, MIRROR, run } from './namespaces.ts';
import type { Family } from './places.ts';
import type { Mode, NodeRules } from './rules.ts';

/** How a tool of the node is asked to look at rules, to load them and to tell what is loaded. */
interface Tool {
  readonly check: readonly [string, ...string[]];
  readonly load: readonly [string, ...string[]];
  /** A line for each thing that there is, in which counters and order that means nothing do not show. */
  dump(namespace: string): readonly string[];
  readonly empty: readonly (readonly [string, ...string[]])[];
}

/** Lets the tool look at a text without loading it. @returns what it complains of; "" where it is content */
export function accept(mode: Mode, namespace: string, family: Family, text: string): string {
  try {
    run(inNamespace(namespace, toolFor(mode, family).check), text);
    return '';
  } catch (error) {
    return String(error);
  }
}

/** @throws Error where the tool refuses */
export function load(mode: Mode, namespace: string, family: Family, text: string): void {
  run(inNamespace(namespace, toolFor(mode, family).load), text);
}

/** Whether what changes have made of a node's rules is what the whole text makes of an empty namespace. */
export function compareWithWhole(when: string, mode: Mode, rules: NodeRules): Check {
  const tool = toolFor(mode, rules.family);
  load(mode, MIRROR, rules.family, rules.whole());
  const [there, whole] = [new Set(tool.dump(rules.node)), new Set(tool.dump(MIRROR))];
  for (const command of tool.empty) run(inNamespace(MIRROR, command));
  const only = (lines: ReadonlySet<string>, others: ReadonlySet<string>): string =>
    [...lines].filter((line) => !others.has(line)).join('\n');
  return {
    what: `${when}: ${mode} of node ${rules.node}, ${rules.family}, is what the whole text loads, all ${whole.size} lines`,
    found: whole.size === 0 ? 'nothing is loaded' : only(there, whole),
    expected: only(whole, there),
  };
}

const toolFor = (mode: Mode, family: Family): Tool => tools[mode](family);

const tools: Readonly<Record<Mode, (family: Family) => Tool>> = {
  nftables: (family) => {
    const table = [family === 'IPv4' ? 'ip' : 'ip6', 'kube-proxy'];
    return {
      check: ['nft', '--check', '-f', '-'],
      load: ['nft', '-f', '-'],
      dump: (namespace) => linesOfNft(run(inNamespace(namespace, ['nft', '--json', 'list', 'table', ...table]))),
      empty: [['nft', 'delete', 'table', ...table]],
    };
  },
  iptables: (family) => {
    const command = family === 'IPv4' ? 'iptables' : 'ip6tables';
    const each = ['nat', 'filter'];
    return {
      check: [`${command}-restore`, '--noflush', '--test'],
      load: [`${command}-restore`, '--noflush'],
      dump: (namespace) =>
        each.flatMap((table) => linesOfSave(table, run(inNamespace(namespace, [`${command}-save`, '-t', table])).split('\n'))),
      empty: each.flatMap((table) => ['-F', '-X'].map((word) => [command, '-t', table, word] as const)),
    };
  },
};

/** The chains that all Services share, in which only the jump to the node ports has its place: it is the last. */
const UNORDERED = /^KUBE-(?:SERVICES|NODEPORTS|EXTERNAL-SERVICES|PROXY-FIREWALL)$/;

function linesOfSave(table: string, lines: readonly string[]): string[] {
  const chains = new Map<string, string[]>();
  for (const line of lines) {
    const [, chain, rule] = /^[:-](?:A )?(\S+) (.*)$/.exec(line) ?? [];
    if (chain === undefined || rule === undefined) continue;
    const rules = chains.get(chain);
    if (rules === undefined) chains.set(chain, []);
    else rules.push(rule);
  }
  return [...chains].flatMap(([chain, rules]) => [
    `${table} ${chain}: ${rules.length} rules`,
    ...rules.map((rule, i) => {
      const place = UNORDERED.test(chain) ? (i === rules.length - 1 && rule.endsWith('-j KUBE-NODEPORTS') ? 'last ' : '') : `${i} `;
      return `${table} ${chain} ${place}${rule}`;
    }),
  ]);
}

type Listed = Readonly<Record<string, Readonly<Record<string, unknown>> & { readonly elem?: readonly unknown[] }>>;

function linesOfNft(json: string): string[] {
  const { nftables } = JSON.parse(json) as { readonly nftables: readonly Listed[] };
  const counts = new Map<string, number>();
  return nftables.flatMap((listed) => {
    const [[kind = '', thing] = []] = Object.entries(listed);
    if (thing === undefined || kind === 'metainfo') return [];
    const { elem = [], ...rest } = thing;
    const name = `${kind} ${String(kind === 'rule' ? thing['chain'] : thing['name'])}`;
    const at = counts.get(name) ?? 0;
    counts.set(name, at + 1);
    // Whom a rule has put into a set for a time is no part of the rules.
    const members = elem.map(plain).filter((member) => !member.includes('"expires":'));
    return [`${name} ${at} ${plain(rest)}`, ...members.map((member) => `${name} has ${member}`)];
  });
}

/** As JSON, without what the kernel counts and numbers. */
function plain(value: unknown): string {
  return JSON.stringify(value, (key, inner) => (['handle', 'packets', 'bytes'].includes(key) ? undefined : inner));
}
