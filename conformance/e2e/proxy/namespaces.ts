import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import type { Mode } from './rules.ts';
import { clientAddresses, families, networks, podNetworkOf, type TopologyPod, topologyNodes, topologyPods } from './topology.ts';

/** A namespace in which full rule texts are loaded for comparison. */
export const MIRROR = 'mirror';

/**
 * Builds the network: a bridge with two nodes and a client, and the pods behind their nodes. Requires fresh network, mount and PID
 * namespaces, which remove everything when they end.
 */
export function buildNetwork(mode: Mode): void {
  // Private to this mount namespace, because `ip netns` stores its handles in /run, and iptables its lock.
  run(['mount', '-t', 'tmpfs', 'tmpfs', '/run']);
  mkdirSync('/run/netns');
  for (const name of [...topologyNodes.map((node) => node.name), 'client', MIRROR, ...topologyPods.map((pod) => pod.name)]) {
    run(['ip', 'netns', 'add', name]);
    run(commandInNamespace(name, ['sh', '-c', networkSettings.map(([key, value]) => `echo ${value} > /proc/sys/net/${key}`).join('\n')]));
    ip(name, ['link set lo up']);
  }
  run(['ip', 'link', 'add', 'lan', 'type', 'bridge']);
  run(['ip', 'link', 'set', 'lan', 'up']);
  buildLan();
  for (const { name } of topologyNodes) dropUntranslatedPackets(name, mode);
  for (const pod of topologyPods) attachPod(pod);
}

/** Returns the command line that runs a command in a namespace. */
export function commandInNamespace(name: string, [command, ...words]: readonly [string, ...string[]]): [string, ...string[]] {
  return ['nsenter', `--net=/run/netns/${name}`, command, ...words];
}

/** Runs a command and returns stdout. @throws Error with its stderr */
export function run([command, ...words]: readonly [string, ...string[]], input = ''): string {
  const { status, stdout, stderr, error } = spawnSync(command, words, { input, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (status === 0) return stdout;
  throw new Error(`${[command, ...words].join(' ')}: ${error?.message ?? (stderr.trim() || `ended with ${status}`)}`);
}

/** Forwarding is enabled later, for nodes only. Disables duplicate address detection, reverse path filters and ICMP rate limits. */
const networkSettings: readonly (readonly [string, string | number])[] = [
  ['ipv6/conf/all/accept_dad', 0],
  ['ipv6/conf/default/accept_dad', 0],
  ['ipv4/conf/all/rp_filter', 0],
  ['ipv4/conf/default/rp_filter', 0],
  ['ipv4/icmp_ratelimit', 0],
  ['ipv6/icmp/ratelimit', 0],
];

const forwardingSettings: readonly (readonly [string, string | number])[] = [
  ['ipv4/ip_forward', 1],
  ['ipv6/conf/all/forwarding', 1],
  // As kube-proxy sets it to serve node ports on loopback addresses.
  ['ipv4/conf/all/route_localnet', 1],
];

function buildLan(): void {
  const [first, second] = topologyNodes;
  if (first === undefined || second === undefined) throw new Error('the topology needs two nodes');
  for (const node of [first, second]) {
    const other = node === first ? second : first;
    connectToLan(node.name, [node.address]);
    run(
      commandInNamespace(node.name, [
        'sh',
        '-c',
        forwardingSettings.map(([key, value]) => `echo ${value} > /proc/sys/net/${key}`).join('\n'),
      ]),
    );
    ip(node.name, [
      ...families.map((family) => `route add ${podNetworkOf[other.name]?.[family]} via ${other.address[family]}`),
      // Cluster IPs need a route, or a node would not send at all.
      ...families.map((family) => `-${family === 'IPv4' ? 4 : 6} route add default via ${clientAddresses[0]?.[family]}`),
    ]);
  }
  connectToLan('client', clientAddresses);
  const targets = [networks.services, networks.outside, networks.pods];
  ip(
    'client',
    targets.flatMap((target) => families.map((family) => `route add ${target[family]} via ${first.address[family]}`)),
  );
}

/**
 * Drops packets that no rule has translated before they leave a node. Otherwise conntrack would remember their destination, and send a
 * later connection from the same port there, too.
 */
function dropUntranslatedPackets(node: string, mode: Mode): void {
  for (const family of families) {
    for (const { [family]: network } of [networks.services, networks.outside]) {
      const [ip, iptables] = family === 'IPv4' ? ['ip', 'iptables'] : ['ip6', 'ip6tables'];
      const nft = `add table ${ip} nowhere; add chain ${ip} nowhere out { type filter hook postrouting priority 0; };
        add rule ${ip} nowhere out ${ip} daddr ${network} drop`;
      if (mode === 'nftables') run(commandInNamespace(node, ['nft', nft]));
      else run(commandInNamespace(node, [iptables, '-t', 'mangle', '-A', 'POSTROUTING', '-d', network, '-j', 'DROP']));
    }
  }
}

/** Connects a namespace to the bridge. */
function connectToLan(name: string, addresses: readonly { readonly IPv4: string; readonly IPv6: string }[]): void {
  run(['ip', 'link', 'add', `lan-${name}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name]);
  run(['ip', 'link', 'set', `lan-${name}`, 'master', 'lan', 'up']);
  ip(name, [
    'link set eth0 up',
    ...addresses.flatMap(({ IPv4, IPv6 }) => [`addr add ${IPv4}/24 dev eth0`, `-6 addr add ${IPv6}/64 dev eth0 nodad`]),
  ]);
}

/** Connects a pod to its node with routes instead of a bridge, so that all its packets pass the node's rules. */
function attachPod({ name, node, address }: TopologyPod): void {
  const gateway = `${podNetworkOf[node]?.IPv4.replace('0/24', '1')}`;
  ip(node, [
    `link add pod-${name} type veth peer name eth0 netns ${name}`,
    `link set pod-${name} up`,
    `addr add ${gateway}/32 dev pod-${name}`,
    `-6 addr add fe80::1/64 dev pod-${name} nodad`,
    `route add ${address.IPv4}/32 dev pod-${name}`,
    `-6 route add ${address.IPv6}/128 dev pod-${name}`,
  ]);
  ip(name, [
    'link set eth0 up',
    `addr add ${address.IPv4}/32 dev eth0`,
    `-6 addr add ${address.IPv6}/128 dev eth0 nodad`,
    `route add ${gateway}/32 dev eth0`,
    `route add default via ${gateway}`,
    '-6 route add default via fe80::1 dev eth0',
  ]);
}

function ip(namespace: string, commands: readonly string[]): void {
  for (const command of commands) run(['ip', '-n', namespace, ...command.split(' ')]);
}
