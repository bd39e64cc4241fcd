import { BlockList } from 'node:net';
import { type NftablesRules, type NodeView, nftablesRules, type ProxyNode } from '../../src/proxy/index.ts';

/** The first packet of a client's first connection, as a node meets it. */
export interface Packet {
  readonly from: string;
  readonly to: string;
  readonly protocol: 'TCP' | 'UDP' | 'SCTP';
  readonly port: number;
}

/**
 * Where the rules of a node send a packet, whose family is that of the view: the endpoints that are drawn from, none where it is dropped or
 * rejected; undefined where it goes on as it came. Sets of clients are empty, as nobody was here before.
 */
export function sentTo(view: NodeView, node: ProxyNode, packet: Packet): readonly string[] | undefined {
  const met: Met = { rules: nftablesRules(view, node), node, packet };
  for (const hook of hooksOf(met)) {
    const outcome = run(met, hook);
    if (outcome) return outcome;
  }
  return undefined;
}

interface Met {
  readonly rules: NftablesRules;
  readonly node: ProxyNode;
  readonly packet: Packet;
}

/** The hooks that a packet passes as long as it keeps its destination: conntrack asks the tables of NAT once. */
function hooksOf({ node, packet: { from, to } }: Met): readonly string[] {
  const [isOwn, isToNode] = [node.addresses.includes(from), node.addresses.includes(to)];
  const arrival = isOwn ? ['filter-output-pre-dnat', 'nat-output', 'filter-output'] : ['filter-prerouting-pre-dnat', 'nat-prerouting'];
  return [...arrival, ...(isToNode ? ['filter-input'] : isOwn ? [] : ['filter-forward'])];
}

/** The endpoints that a chain sends a packet to, none for a refusal; undefined where it comes to the end of the chain. */
function run(met: Met, chain: string): readonly string[] | undefined {
  const { rules } = met.rules.chains.find(({ name }) => name === chain) ?? unknown(`chain ${chain}`);
  for (const { text } of rules) {
    const action = actionOf(text, met);
    const jump = action?.startsWith('jump ');
    const outcome = action === undefined ? undefined : verdict(action, met);
    if (outcome || (action?.startsWith('goto ') && !jump)) return outcome;
  }
  return undefined;
}

/** What follows the conditions of a rule, or what a map has for the packet; undefined where one of them does not hold. */
function actionOf(rule: string, met: Met): string | undefined {
  for (let rest = rule; ; ) {
    const isAction = actions.some((word) => rest.startsWith(word));
    if (isAction) return rest;
    const [kind, found] = conditions.map((each) => [each, each.form.exec(rest)] as const).find(([, match]) => match) ?? [];
    if (!kind || !found) return unknown(`rule ${rule}`);
    const outcome = kind.read(found.slice(1), met);
    if (outcome !== true) return outcome || undefined;
    rest = rest.slice(found[0].length).trimStart();
  }
}

const actions: readonly string[] = ['jump ', 'goto ', 'drop', 'reject', 'mark set ', 'update @', 'dnat ', 'numgen '];

/** What becomes of the packet; undefined where it goes on. */
function verdict(action: string, met: Met): readonly string[] | undefined {
  if (action === 'drop' || action === 'reject') return [];
  if (/^(?:mark set|update) /.test(action)) return undefined;
  const [, chain] = /^(?:jump|goto) (\S+)$/.exec(action) ?? [];
  if (chain !== undefined) return run(met, chain);
  const [, endpoint] = /^dnat to (\S+)$/.exec(action) ?? [];
  if (endpoint !== undefined) return [endpoint];
  const drawn = [...action.matchAll(/ : goto (\S+)/g)].flatMap(([, each = '']) => run(met, each) ?? unknown(`end of ${each}`));
  const mapped = [...action.matchAll(/ : (\S+) \. (\d+)/g)].map(([, ip = '', port]) => `${ip.includes(':') ? `[${ip}]` : ip}:${port}`);
  return drawn.length + mapped.length > 0 ? [...drawn, ...mapped] : unknown(`action ${action}`);
}

interface Condition {
  readonly form: RegExp;
  /** Whether it holds, or the verdict that a map has. */
  readonly read: (values: readonly string[], met: Met) => boolean | string;
}

const addressOf = (which: string | undefined, { from, to }: Packet): string => (which === 'saddr' ? from : to);

const conditions: readonly Condition[] = [
  { form: /^ct state new\b/, read: () => true },
  {
    form: /^ip6? daddr \. meta l4proto \. th dport vmap @(\S+)$/,
    read: ([map], { rules, packet: { to, protocol, port } }) => valueIn(rules, map, `${to} . ${protocol.toLowerCase()} . ${port}`),
  },
  {
    form: /^meta l4proto \. th dport vmap @(\S+)$/,
    read: ([map], { rules, packet: { protocol, port } }) => valueIn(rules, map, `${protocol.toLowerCase()} . ${port}`),
  },
  { form: /^meta l4proto (tcp|udp|sctp)\b/, read: ([protocol], { packet }) => packet.protocol.toLowerCase() === protocol },
  { form: /^fib ([sd]addr) type local\b/, read: ([which], { node, packet }) => node.addresses.includes(addressOf(which, packet)) },
  {
    form: /^ip6? ([sd]addr) @(\S+)/,
    read: ([which, set], { rules, packet }) => elementsOf(rules.sets, set).some(({ key }) => key === addressOf(which, packet)),
  },
  {
    form: /^ip6? ([sd]addr) (!= )?(?:\{ (.*?) \}|([\da-f:./]+))/,
    read: ([which, not, list, one], { packet }) =>
      (list ?? one ?? '').split(/ ?, ?/).some((range) => isIn(addressOf(which, packet), range)) === (not === undefined),
  },
];

const elementsOf = (containers: NftablesRules['maps'], name: string | undefined) =>
  (containers.find((each) => each.name === name) ?? unknown(`set or map ${name}`)).elements;

const valueIn = ({ maps }: NftablesRules, map: string | undefined, wanted: string): string | false =>
  elementsOf(maps, map).find(({ key }) => key === wanted)?.value ?? false;

function isIn(ip: string, range: string): boolean {
  const family = range.includes(':') ? 'ipv6' : 'ipv4';
  const [network = '', length = family === 'ipv6' ? '128' : '32'] = range.split('/');
  const list = new BlockList();
  list.addSubnet(network, Number(length), family);
  return ip.includes(':') === (family === 'ipv6') && list.check(ip, family);
}

/** Nothing is taken for harmless that is not understood. */
function unknown(what: string): never {
  throw new Error(`unknown ${what}`);
}
