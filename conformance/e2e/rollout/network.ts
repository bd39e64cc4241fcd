import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { commandInNamespace, run } from '../proxy/namespaces.ts';

/** The addresses of a row's nodes. Rows have networks of their own, so that several can run at a time. */
export interface NodeNetwork {
  readonly name: string;
  readonly address: string;
  /** The first three bytes of the addresses of its pods. */
  readonly subnet: string;
}

/** Prepares the network namespace of this process, which has to be new. The API server needs a default route. */
export function prepareNetwork(): void {
  // Private to this mount namespace, because `ip netns` stores its handles in /run.
  run(['mount', '-t', 'tmpfs', 'tmpfs', '/run']);
  mkdirSync('/run/netns');
  ip(undefined, [
    'link set lo up',
    'link add uplink type bridge',
    'link set uplink up',
    'addr add 192.0.2.1/24 dev uplink',
    'route add default via 192.0.2.2',
  ]);
}

/**
 * Builds the network of a row: a namespace per node, and a bridge that connects them and this process. The pods of a node share its namespace, and
 * have addresses of their own.
 * @param index a number of at most 150 that no other row has
 */
export function buildRowNetwork(index: number, names: readonly string[]): NodeNetwork[] {
  const nodes = names.map((name, i): NodeNetwork => ({ name, address: `172.20.${index}.${i + 1}`, subnet: `10.${100 + index}.${i + 1}` }));
  const bridge = `row${index}`;
  ip(undefined, [
    ...names.map((name) => `netns add ${name}`),
    `link add ${bridge} type bridge`,
    `link set ${bridge} up`,
    `addr add 172.20.${index}.254/24 dev ${bridge}`,
  ]);
  for (const { name, address, subnet } of nodes) {
    ip(undefined, [
      `link add ${name} type veth peer name eth0 netns ${name}`,
      `link set ${name} master ${bridge}`,
      `link set ${name} up`,
      `route add ${subnet}.0/24 via ${address}`,
    ]);
    ip(name, [
      'link set lo up',
      'link set eth0 up',
      `addr add ${address}/24 dev eth0`,
      'link add pods type bridge',
      'link set pods up',
      // The addresses of all pods that it will ever have. One without a process refuses connections at once.
      ...Array.from({ length: maxPods }, (_, i) => `addr add ${subnet}.${i + 1}/32 dev pods`),
      ...nodes.filter((other) => other.name !== name).map((other) => `route add ${other.subnet}.0/24 via ${other.address}`),
      // Cluster IPs need a route, or a node would not send at all.
      `route add default via 172.20.${index}.254`,
    ]);
    run(commandInNamespace(name, ['sh', '-ec', settings]));
  }
  return nodes;
}

const settings = `echo 1 > /proc/sys/net/ipv4/ip_forward
echo 0 > /proc/sys/net/ipv4/conf/all/rp_filter
echo 0 > /proc/sys/net/ipv4/icmp_ratelimit
echo 4096 > /proc/sys/net/core/somaxconn`;

/** The number of addresses of a node's pods. */
const maxPods = 40;

export function removeRowNetwork(index: number, nodes: readonly NodeNetwork[]): void {
  ip(undefined, [...nodes.map(({ name }) => `netns del ${name}`), `link del row${index}`]);
}

/** Loads rules in the namespace of a node. @throws Error with the output of nft */
export async function loadRules(node: string, rules: string): Promise<void> {
  const [command, ...words] = commandInNamespace(node, ['nft', '-f', '-']);
  const child = spawn(command, words, { stdio: ['pipe', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk;
  });
  child.stdin.end(rules);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`nft in ${node}: ${errors.trim()}`);
}

/** Runs commands of `ip` in a namespace; without a name, in this process's own. */
function ip(namespace: string | undefined, commands: readonly string[]): void {
  run(['ip', ...(namespace === undefined ? [] : ['-n', namespace]), '-batch', '-'], commands.map((command) => `${command}\n`).join(''));
}
