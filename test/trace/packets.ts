import { type NftablesRules, type NodeView, nftablesRules, type ProxyNode } from '../../src/proxy/index.ts';

/** The first packet of a connection over TCP, as a node meets it. */
export interface Packet {
  readonly from: string;
  readonly to: string;
  readonly port: number;
}

/**
 * Where the rules of a node, of IPv4 and without session affinity, send a packet: the endpoints that are drawn from, none where it is
 * dropped or rejected; undefined where the rules do not know its address.
 */
export function sentTo(view: NodeView, node: ProxyNode, packet: Packet): readonly string[] | undefined {
  const rules = nftablesRules(view, node);
  const key = `${packet.to} . tcp . ${packet.port}`;
  const firewall = find(rules, 'firewall-ips', key);
  if (firewall !== undefined && run(rules, node, packet, chainIn(firewall)) === 'drop') return [];
  const isNodePort = rules.sets.some(({ name, elements }) => name === 'nodeport-ips' && elements.some((each) => each.key === packet.to));
  const nodePort = `tcp . ${packet.port}`;
  const next = find(rules, 'service-ips', key) ?? (isNodePort ? find(rules, 'service-nodeports', nodePort) : undefined);
  const sent = next === undefined ? undefined : run(rules, node, packet, chainIn(next));
  if (Array.isArray(sent)) return sent;
  const refused = find(rules, 'no-endpoint-services', key) ?? (isNodePort ? find(rules, 'no-endpoint-nodeports', nodePort) : undefined);
  return refused === undefined && next === undefined ? undefined : [];
}

const find = ({ maps }: NftablesRules, map: string, key: string): string | undefined =>
  maps.find(({ name }) => name === map)?.elements.find((each) => each.key === key)?.value;

const chainIn = (verdict: string): string => verdict.replace(/^goto /, '');

/** What becomes of a packet in a chain; undefined at its end. */
function run(rules: NftablesRules, node: ProxyNode, packet: Packet, chain: string): string[] | 'drop' | undefined {
  for (const { text } of rules.chains.find(({ name }) => name === chain)?.rules ?? []) {
    const [, condition = '', action = ''] = /^(.*?)\b(drop|goto \S+|mark set .*|dnat .*)$/.exec(text) ?? [];
    if (action === '') throw new Error(`unknown rule: ${text}`);
    if (!holds(condition.trim(), node, packet) || action.startsWith('mark')) continue;
    if (action.startsWith('goto')) return run(rules, node, packet, chainIn(action));
    if (action === 'drop') return 'drop';
    return [...action.matchAll(/ : (\S+) \. (\d+)/g)].map(([, ip, port]) => `${ip}:${port}`);
  }
  return undefined;
}

function holds(condition: string, node: ProxyNode, { from }: Packet): boolean {
  const sources = /^ip saddr (!= )?(?:\{ (.*) \}|(\S+))$/.exec(condition);
  if (sources) return (sources[2] ?? sources[3] ?? '').split(' , ').some((range) => isIn(from, range)) !== (sources[1] !== undefined);
  if (condition === 'fib saddr type local') return node.addresses.includes(from);
  if (condition === '' || condition === 'meta l4proto tcp') return true;
  throw new Error(`unknown condition: ${condition}`);
}

function isIn(ip: string, range: string): boolean {
  const [network = '', length = '32'] = range.split('/');
  const bits = (address: string): string =>
    address
      .split('.')
      .map((octet) => Number(octet).toString(2).padStart(8, '0'))
      .join('');
  return bits(ip).startsWith(bits(network).slice(0, Number(length)));
}
