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
  const names = [...topologyNodes.map((node) => node.name), 'client', MIRROR, ...topologyPods.map((pod) => pod.name)];
  ip(undefined, [...names.map((name) => `netns add ${name}`), 'link add lan type bridge', 'link set lan up']);
  for (const name of names) {
    writeSettings(name, networkSettings);
    ip(name, ['link set lo up']);
  }
  buildLan();
  for (const { name } of topologyNodes) {
    dropUntranslatedPackets(name, mode);
    if (mode === 'ipvs') prepareIpvs(name);
  }
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

/** As kube-proxy sets them in the mode ipvs. */
const ipvsSettings: readonly (readonly [string, string | number])[] = [
  ['ipv4/vs/conntrack', 1],
  ['ipv4/vs/expire_nodest_conn', 1],
  ['ipv4/vs/expire_quiescent_template', 1],
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
    writeSettings(node.name, forwardingSettings);
    ip(node.name, [
      ...families.map((family) => `route add ${podNetworkOf[other.name]?.[family]} via ${other.address[family]}`),
      // Cluster IPs need a route, or a node would not send at all.
      ...families.map((family) => `route add ${family === 'IPv4' ? '0.0.0.0/0' : '::/0'} via ${clientAddresses[0]?.[family]}`),
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
  ip(undefined, [`link add lan-${name} type veth peer name eth0 netns ${name}`, `link set lan-${name} master lan up`]);
  ip(name, [
    'link set eth0 up',
    ...addresses.flatMap(({ IPv4, IPv6 }) => [`addr add ${IPv4}/24 dev eth0`, `addr add ${IPv6}/64 dev eth0 nodad`]),
  ]);
}

/** Connects a pod to its node with routes instead of a bridge, so that all its packets pass the node's rules. */
function attachPod({ name, node, address }: TopologyPod): void {
  const gateway = `${podNetworkOf[node]?.IPv4.replace('0/24', '1')}`;
  ip(node, [
    `link add pod-${name} type veth peer name eth0 netns ${name}`,
    `link set pod-${name} up`,
    `addr add ${gateway}/32 dev pod-${name}`,
    `addr add fe80::1/64 dev pod-${name} nodad`,
    `route add ${address.IPv4}/32 dev pod-${name}`,
    `route add ${address.IPv6}/128 dev pod-${name}`,
  ]);
  ip(name, [
    'link set eth0 up',
    `addr add ${address.IPv4}/32 dev eth0`,
    `addr add ${address.IPv6}/128 dev eth0 nodad`,
    `route add ${gateway}/32 dev eth0`,
    `route add default via ${gateway}`,
    'route add ::/0 via fe80::1 dev eth0',
  ]);
}

/** Creates the interface that gets the addresses of Services. */
function prepareIpvs(node: string): void {
  writeSettings(node, ipvsSettings);
  ip(node, ['link add kube-ipvs0 type dummy']);
}

function writeSettings(namespace: string, settings: readonly (readonly [string, string | number])[]): void {
  const script = settings.map(([key, value]) => `echo ${value} > /proc/sys/net/${key}`).join('\n');
  run(commandInNamespace(namespace, ['sh', '-ec', script]));
}

/** Runs commands of `ip` in a namespace; without a name, in this process's own. One process runs all: it may run on a slow kernel. */
function ip(namespace: string | undefined, commands: readonly string[]): void {
  run(['ip', ...(namespace === undefined ? [] : ['-n', namespace]), '-batch', '-'], commands.map((command) => `${command}\n`).join(''));
}
