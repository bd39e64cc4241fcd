import type { Check } from './checks.ts';
import { listIpvsState } from './ipvs.ts';
import { commandInNamespace, MIRROR, run } from './namespaces.ts';
import type { Mode, NodeRules } from './rules.ts';
import type { Family } from './topology.ts';

/** The command-line tool of a proxy mode: check, load and list rules. */
interface Tool {
  /** Absent if the tool can only load. */
  readonly check?: readonly [string, ...string[]];
  readonly loadText: readonly [string, ...string[]];
  /** One line per rule or element, without counters, and without order if it has no meaning. */
  dump(namespace: string): readonly string[];
  /** The commands that remove all rules; none if the full text already has the form of `dump`. */
  readonly emptyCommands: readonly (readonly [string, ...string[]])[];
}

/** Checks a text with the tool, and loads it. @returns the error output of the tool; "" if it accepts the text */
export function load(mode: Mode, namespace: string, family: Family, text: string): string {
  const { check, loadText } = toolFor(mode, family);
  try {
    for (const command of [...(check === undefined ? [] : [check]), loadText]) run(commandInNamespace(namespace, command), text);
    return '';
  } catch (error) {
    return String(error);
  }
}

/** Checks that incremental changes produced the same rules as loading the full text into an empty namespace. */
export function compareWithFullLoad(when: string, mode: Mode, rules: NodeRules): Check {
  const tool = toolFor(mode, rules.family);
  const [loaded, expectedLines] = [new Set(tool.dump(rules.node)), new Set(listFullLoad(mode, rules))];
  const formatDifference = (lines: ReadonlySet<string>, others: ReadonlySet<string>): string =>
    [...lines].filter((line) => !others.has(line)).join('\n');
  return {
    what: `${when}: ${mode} of node ${rules.node}, ${rules.family}, equals the fully loaded rules, ${expectedLines.size} lines`,
    found: expectedLines.size === 0 ? 'no rules are loaded' : formatDifference(loaded, expectedLines),
    expected: formatDifference(expectedLines, loaded),
  };
}

function listFullLoad(mode: Mode, rules: NodeRules): readonly string[] {
  const tool = toolFor(mode, rules.family);
  if (tool.emptyCommands.length === 0) return rules.fullText().trimEnd().split('\n');
  run(commandInNamespace(MIRROR, tool.loadText), rules.fullText());
  const lines = tool.dump(MIRROR);
  for (const command of tool.emptyCommands) run(commandInNamespace(MIRROR, command));
  return lines;
}

const toolFor = (mode: Mode, family: Family): Tool => tools[mode](family);

const tools: Readonly<Record<Mode, (family: Family) => Tool>> = {
  nftables: (family) => {
    const table = [family === 'IPv4' ? 'ip' : 'ip6', 'kube-proxy'];
    return {
      check: ['nft', '--check', '-f', '-'],
      loadText: ['nft', '-f', '-'],
      dump: (namespace) => parseNftList(run(commandInNamespace(namespace, ['nft', '--json', 'list', 'table', ...table]))),
      emptyCommands: [['nft', 'delete', 'table', ...table]],
    };
  },
  iptables: (family) => {
    const command = family === 'IPv4' ? 'iptables' : 'ip6tables';
    const tables = ['nat', 'filter'];
    return {
      check: [`${command}-restore`, '--noflush', '--test'],
      loadText: [`${command}-restore`, '--noflush'],
      dump: (namespace) =>
        tables.flatMap((table) =>
          parseIptablesSave(table, run(commandInNamespace(namespace, [`${command}-save`, '-t', table])).split('\n')),
        ),
      emptyCommands: tables.flatMap((table) => ['-F', '-X'].map((word) => [command, '-t', table, word] as const)),
    };
  },
  ipvs: (family) => ({ loadText: ['sh', '-e'], dump: (namespace) => listIpvsState(namespace, family), emptyCommands: [] }),
};

/** Chains shared by all Services. Their order has no meaning, except that the jump to the node ports is last. */
const UNORDERED = /^KUBE-(?:SERVICES|NODEPORTS|EXTERNAL-SERVICES|PROXY-FIREWALL)$/;

function parseIptablesSave(table: string, lines: readonly string[]): string[] {
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
      const position = UNORDERED.test(chain) ? (i === rules.length - 1 && rule.endsWith('-j KUBE-NODEPORTS') ? 'last ' : '') : `${i} `;
      return `${table} ${chain} ${position}${rule}`;
    }),
  ]);
}

type NftItem = Readonly<Record<string, Readonly<Record<string, unknown>> & { readonly elem?: readonly unknown[] }>>;

function parseNftList(json: string): string[] {
  const { nftables } = JSON.parse(json) as { readonly nftables: readonly NftItem[] };
  const counts = new Map<string, number>();
  return nftables.flatMap((item) => {
    const [[kind = '', object] = []] = Object.entries(item);
    if (object === undefined || kind === 'metainfo') return [];
    const { elem = [], ...rest } = object;
    const name = `${kind} ${String(kind === 'rule' ? object['chain'] : object['name'])}`;
    const index = counts.get(name) ?? 0;
    counts.set(name, index + 1);
    // Elements with a timeout are session affinity state, not rules.
    const members = elem.map(formatPlain).filter((member) => !member.includes('"expires":'));
    return [`${name} ${index} ${formatPlain(rest)}`, ...members.map((member) => `${name} has ${member}`)];
  });
}

/** Formats a value as JSON, without handles and counters. */
function formatPlain(value: unknown): string {
  return JSON.stringify(value, (key, inner) => (['handle', 'packets', 'bytes'].includes(key) ? undefined : inner));
}
