import { mkdirSync } from 'node:fs';
import { commandInNamespace, run } from '../proxy/namespaces.ts';
import { hosts, isIPv6, type NodeName, nodeAddresses, nodeNames, OUTSIDE, podAddresses, podIndexes } from './topology.ts';

/** Addresses of the links to pods and to the outside, which are no ends of connections. */
const gateway = { IPv4: '169.254.1.1', IPv6: 'fe80::1' } as const;

/**
 * Builds the network: two nodes, a host outside, and the pods behind their nodes. Requires fresh network, mount and PID namespaces, which
 * remove everything when they end.
 */
export function buildNetwork(): void {
  // Private to this mount namespace, because `ip netns` stores its handles in /run, and iptables its lock.
  run(['mount', '-t', 'tmpfs', 'tmpfs', '/run']);
  mkdirSync('/run/netns');
  ip(undefined, [
    ...hosts.map(({ namespace }) => `netns add ${namespace}`),
    'link add lan netns n1 type veth peer name lan netns n2',
    ...hosts.filter(({ namespace }) => !isNode(namespace)).map(({ namespace }) => createLink(namespace)),
  ]);
  for (const { namespace } of hosts) {
    run(commandInNamespace(namespace, ['sh', '-ec', settings]));
    ip(namespace, ['link set lo up']);
  }
  for (const node of nodeNames) buildNode(node);
  for (const { namespace, addresses } of hosts) if (!isNode(namespace)) attachHost(namespace, addresses);
}

/** The link of a pod, or of the host outside, to its node: at the node it has the name of the pod. */
function createLink(namespace: string): string {
  const [name, node] = namespace === OUTSIDE ? [OUTSIDE, 'n1'] : namespace.split('-');
  return `link add ${name} netns ${node} type veth peer name eth0 netns ${namespace}`;
}

/** Routes the addresses of pods to their nodes. @param nodesOfPods the name of the node by the index of the pod */
export function routePods(nodesOfPods: readonly string[]): void {
  for (const node of nodeNames) {
    const commands = nodesOfPods.flatMap((other, index) =>
      podAddresses(index).map((address) => `route replace ${address} ${other === node ? `dev p${index}` : routeToOther(node, address)}`),
    );
    ip(node, commands);
  }
}

const isNode = (name: string): name is NodeName => nodeNames.some((node) => node === name);

/** Duplicate address detection, reverse path filters and limits of ICMP errors are disabled. */
const settings = `
  echo 0 > /proc/sys/net/ipv6/conf/all/accept_dad
  echo 0 > /proc/sys/net/ipv6/conf/default/accept_dad
  echo 0 > /proc/sys/net/ipv4/conf/all/rp_filter
  echo 0 > /proc/sys/net/ipv4/conf/default/rp_filter
  echo 0 > /proc/sys/net/ipv4/icmp_ratemask
  echo 0 > /proc/sys/net/ipv6/icmp/ratelimit
  echo > /proc/sys/net/ipv6/icmp/ratemask`;

function routeToOther(node: NodeName, address: string): string {
  const [IPv4, IPv6] = nodeAddresses[node === 'n1' ? 'n2' : 'n1'];
  return `via ${isIPv6(address) ? IPv6 : IPv4} dev lan`;
}

function buildNode(node: NodeName): void {
  const [IPv4, IPv6] = nodeAddresses[node];
  const links = [...podIndexes.map((index) => `p${index}`), ...(node === 'n1' ? [OUTSIDE] : [])];
  run(commandInNamespace(node, ['sh', '-ec', 'echo 1 > /proc/sys/net/ipv4/ip_forward; echo 1 > /proc/sys/net/ipv6/conf/all/forwarding']));
  ip(node, [
    'link set lan up',
    `addr add ${IPv4}/24 dev lan`,
    `addr add ${IPv6}/64 dev lan nodad`,
    ...links.flatMap((link) => [
      `link set ${link} up`,
      `addr add ${gateway.IPv4}/32 dev ${link}`,
      `addr add ${gateway.IPv6}/64 dev ${link} nodad`,
    ]),
    ...['0.0.0.0/0', '::/0'].map((all) => `route add ${all} ${node === 'n1' ? `dev ${OUTSIDE}` : routeToOther(node, all)}`),
  ]);
  run(commandInNamespace(node, ['iptables-restore']), rules('icmp-proto-unreachable'));
  run(commandInNamespace(node, ['ip6tables-restore']), rules('icmp6-adm-prohibited'));
}

function attachHost(namespace: string, addresses: readonly string[]): void {
  ip(namespace, [
    'link set eth0 up',
    ...addresses.map((address) => `addr add ${address}/${isIPv6(address) ? '128' : '32'} dev eth0${isIPv6(address) ? ' nodad' : ''}`),
    `route add ${gateway.IPv4}/32 dev eth0`,
    `route add default via ${gateway.IPv4}`,
    `route add ::/0 via ${gateway.IPv6} dev eth0`,
  ]);
}

/**
 * The rules of kube-network-policies: new connections that a node forwards go to the queue. The queue's program marks packets to reject.
 * Unlike upstream, packets to the node itself are queued as well, and NFQUEUE is loaded by iptables, because fewer kernels have it in
 * nftables.
 */
const rules = (answer: string): string => `*mangle
:NEW - [0:0]
-A NEW -i lo -j RETURN
-A NEW -m conntrack --ctstate ESTABLISHED,RELATED -j RETURN
${protocols.map((protocol) => `-A NEW -p ${protocol} -j NFQUEUE --queue-num 100`).join('\n')}
-A FORWARD -j NEW
-A INPUT -j NEW
COMMIT
*filter
-A FORWARD -m mark --mark 1 -j REJECT --reject-with ${answer}
-A INPUT -m mark --mark 1 -j REJECT --reject-with ${answer}
COMMIT
`;

const protocols = ['tcp', 'udp', 'sctp'] as const;

/** Runs commands of `ip` in a namespace; without a name, in this process's own. */
function ip(namespace: string | undefined, commands: readonly string[]): void {
  run(['ip', ...(namespace === undefined ? [] : ['-n', namespace]), '-batch', '-'], commands.map((command) => `${command}\n`).join(''));
}
