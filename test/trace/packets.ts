import { BlockList } from 'node:net';
import { type NftablesRules, type NodeView, nftablesRules, type ProxyNode } from '../../src/proxy/index.ts';

/** The first packet of a client's first connection as a node receives it. */
export interface Packet {
  readonly from: string;
  readonly to: string;
  readonly protocol: 'TCP' | 'UDP' | 'SCTP';
  readonly port: number;
}

/**
 * Returns the endpoints to which a node's rules may send a packet of the view's family; empty if the packet is dropped or rejected,
 * undefined if it passes unchanged. Affinity sets are empty, because the client is new.
 */
export function findPacketEndpoints(view: NodeView, node: ProxyNode, packet: Packet): readonly string[] | undefined {
  const traversal: Traversal = { rules: nftablesRules(view, node), node, packet };
  for (const hook of hooksOf(traversal)) {
    const outcome = runChain(traversal, hook);
    if (outcome) return outcome;
  }
  return undefined;
}

interface Traversal {
  readonly rules: NftablesRules;
  readonly node: ProxyNode;
  readonly packet: Packet;
}

/** The hooks that a packet traverses while its destination is unchanged: conntrack consults each NAT table once. */
function hooksOf({ node, packet: { from, to } }: Traversal): readonly string[] {
  const [isOwn, isToNode] = [node.addresses.includes(from), node.addresses.includes(to)];
  const arrival = isOwn ? ['filter-output-pre-dnat', 'nat-output', 'filter-output'] : ['filter-prerouting-pre-dnat', 'nat-prerouting'];
  return [...arrival, ...(isToNode ? ['filter-input'] : isOwn ? [] : ['filter-forward'])];
}

/** Returns the endpoints to which a chain sends the packet; empty if the packet is refused, undefined at the end of the chain. */
function runChain(traversal: Traversal, chain: string): readonly string[] | undefined {
  const { rules } = traversal.rules.chains.find(({ name }) => name === chain) ?? failUnknown(`chain ${chain}`);
  for (const { text } of rules) {
    const action = actionOf(text, traversal);
    const jump = action?.startsWith('jump ');
    const outcome = action === undefined ? undefined : endpointsOfAction(action, traversal);
    if (outcome || (action?.startsWith('goto ') && !jump)) return outcome;
  }
  return undefined;
}

/** Returns the action of a rule, or the map's value for the packet; undefined if a condition fails. */
function actionOf(rule: string, traversal: Traversal): string | undefined {
  for (let remainingRule = rule; ; ) {
    const isAction = actions.some((word) => remainingRule.startsWith(word));
    if (isAction) return remainingRule;
    const [kind, groups] = conditions.map((each) => [each, each.form.exec(remainingRule)] as const).find(([, match]) => match) ?? [];
    if (!kind || !groups) return failUnknown(`rule ${rule}`);
    const outcome = kind.evaluate(groups.slice(1), traversal);
    if (outcome !== true) return outcome || undefined;
    remainingRule = remainingRule.slice(groups[0].length).trimStart();
  }
}

const actions: readonly string[] = ['jump ', 'goto ', 'drop', 'reject', 'mark set ', 'update @', 'dnat ', 'numgen '];

/** Returns the endpoints to which an action leads; undefined if the packet continues. */
function endpointsOfAction(action: string, traversal: Traversal): readonly string[] | undefined {
  if (action === 'drop' || action === 'reject') return [];
  if (/^(?:mark set|update) /.test(action)) return undefined;
  const [, chain] = /^(?:jump|goto) (\S+)$/.exec(action) ?? [];
  if (chain !== undefined) return runChain(traversal, chain);
  const [, endpoint] = /^dnat to (\S+)$/.exec(action) ?? [];
  if (endpoint !== undefined) return [endpoint];
  const chainEndpoints = [...action.matchAll(/ : goto (\S+)/g)].flatMap(
    ([, each = '']) => runChain(traversal, each) ?? failUnknown(`end of ${each}`),
  );
  const mapEndpoints = [...action.matchAll(/ : (\S+) \. (\d+)/g)].map(
    ([, ip = '', port]) => `${ip.includes(':') ? `[${ip}]` : ip}:${port}`,
  );
  return chainEndpoints.length + mapEndpoints.length > 0 ? [...chainEndpoints, ...mapEndpoints] : failUnknown(`action ${action}`);
}

interface Condition {
  readonly form: RegExp;
  /** Returns whether the condition holds, or the verdict that a map contains for the packet. */
  readonly evaluate: (values: readonly string[], traversal: Traversal) => boolean | string;
}

const addressOf = (which: string | undefined, { from, to }: Packet): string => (which === 'saddr' ? from : to);

const conditions: readonly Condition[] = [
  { form: /^ct state new\b/, evaluate: () => true },
  {
    form: /^ip6? daddr \. meta l4proto \. th dport vmap @(\S+)$/,
    evaluate: ([map], { rules, packet: { to, protocol, port } }) => valueIn(rules, map, `${to} . ${protocol.toLowerCase()} . ${port}`),
  },
  {
    form: /^meta l4proto \. th dport vmap @(\S+)$/,
    evaluate: ([map], { rules, packet: { protocol, port } }) => valueIn(rules, map, `${protocol.toLowerCase()} . ${port}`),
  },
  { form: /^meta l4proto (tcp|udp|sctp)\b/, evaluate: ([protocol], { packet }) => packet.protocol.toLowerCase() === protocol },
  { form: /^fib ([sd]addr) type local\b/, evaluate: ([which], { node, packet }) => node.addresses.includes(addressOf(which, packet)) },
  {
    form: /^ip6? ([sd]addr) @(\S+)/,
    evaluate: ([which, set], { rules, packet }) => elementsOf(rules.sets, set).some(({ key }) => key === addressOf(which, packet)),
  },
  {
    form: /^ip6? ([sd]addr) (!= )?(?:\{ (.*?) \}|([\da-f:./]+))/,
    evaluate: ([which, not, list, single], { packet }) =>
      (list ?? single ?? '').split(/ ?, ?/).some((range) => isInRange(addressOf(which, packet), range)) === (not === undefined),
  },
];

const elementsOf = (containers: NftablesRules['maps'], name: string | undefined) =>
  (containers.find((each) => each.name === name) ?? failUnknown(`set or map ${name}`)).elements;

const valueIn = ({ maps }: NftablesRules, map: string | undefined, requested: string): string | false =>
  elementsOf(maps, map).find(({ key }) => key === requested)?.value ?? false;

function isInRange(ip: string, range: string): boolean {
  const family = range.includes(':') ? 'ipv6' : 'ipv4';
  const [network = '', length = family === 'ipv6' ? '128' : '32'] = range.split('/');
  const list = new BlockList();
  list.addSubnet(network, Number(length), family);
  return ip.includes(':') === (family === 'ipv6') && list.check(ip, family);
}

/** Throws for unknown syntax, so that no rule is ignored. */
function failUnknown(syntax: string): never {
  throw new Error(`unknown ${syntax}`);
}
