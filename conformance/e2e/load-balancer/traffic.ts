import { parseArgs } from 'node:util';
import { createTcpCloud, type TcpCloud } from '@kube-endpoints/controllers/clouds';
import type { BalancedService, BalancerRequest } from 'kube-endpoints/load-balancer';
import { type Load, startLoad } from './traffic-load.ts';
import { nodePorts, startNode, type TrafficNode } from './traffic-node.ts';

/**
 * Usage: traffic.ts [--clients 8] [--requests 500]. Sends HTTP and framed bytes through the load balancer of the TCP cloud, on loopback,
 * while its three nodes are replaced one by one, first after draining, then by kills. `--clients` is per protocol; `--requests` is the
 * number between two steps. Ends with `N passed, N failed`.
 */
const { values } = parseArgs({ options: { clients: { type: 'string', default: '8' }, requests: { type: 'string', default: '500' } } });
const clients = Number(values.clients);
const requestsPerStep = Number(values.requests);

const service: BalancedService = {
  metadata: { namespace: 'shop', name: 'web', uid: 'traffic' },
  spec: {
    type: 'LoadBalancer',
    ports: [
      { name: 'http', port: 18_480, nodePort: nodePorts.http },
      { name: 'frames', port: 18_481, nodePort: nodePorts.frames },
    ],
  },
};

const counts = { passed: 0, failed: 0 };
process.exitCode = await main();

async function main(): Promise<number> {
  const cloud = createTcpCloud({ avoidMs: 500 });
  const nodes: TrafficNode[] = [];
  const started = performance.now();
  try {
    for (let i = 1; i <= 3; i++) nodes.push(await startNode(`n${i}`, `127.0.78.${i}`));
    const { ingress } = await cloud.balancers.ensure({ ...balancerRequest(), nodes: nodes.map(({ node }) => node) });
    const host = ingress?.[0]?.ip ?? '';
    const load = startLoad({ host, httpPort: 18_480, framePort: 18_481, clients });
    try {
      await load.waitForRequests(requestsPerStep);
      check('all nodes serve', new Set(load.answersByNode.keys()).size, 3);
      await replaceGracefully(cloud, nodes, load);
      await killEach(nodes, load);
    } finally {
      await load.stop();
    }
    await checkShutdown(cloud, nodes, load, { host, started });
  } catch (error) {
    check('unexpected error', String(error), 'no error');
  } finally {
    await cloud.close();
    for (const node of nodes) await node.kill();
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  return counts.failed === 0 ? 0 : 1;
}

/** Replaces each node: removes it from the load balancer, then drains it until it has no connections. */
async function replaceGracefully(cloud: TcpCloud, nodes: TrafficNode[], load: Load): Promise<void> {
  const totalBefore = load.total;
  for (let i = 0; i < 3; i++) {
    const [oldNode, newNode] = [nodes[i] as TrafficNode, await startNode(`n${i + 4}`, `127.0.78.${i + 4}`)];
    nodes[i] = newNode;
    await cloud.balancers.update({ ...balancerRequest(), nodes: nodes.map(({ node }) => node) });
    const answersBefore = load.answersByNode.get(oldNode.name) ?? 0;
    const served = await oldNode.drain();
    await load.waitForRequests(requestsPerStep);
    check(`${oldNode.name} has served all its requests`, served >= answersBefore && served > 0, true);
    check(`${newNode.name} serves instead of ${oldNode.name}`, (load.answersByNode.get(newNode.name) ?? 0) > 0, true);
  }
  report('replaced after draining', load.total - totalBefore, load);
  check('requests that failed while nodes were replaced in order', load.failures.length, 0);
}

/**
 * Kills each node while it is in use, and later restarts it at the same address, without an update of the load balancer. Only connections
 * that were open at the kill may fail.
 */
async function killEach(nodes: TrafficNode[], load: Load): Promise<void> {
  const total = load.total;
  for (const [i, oldNode] of nodes.entries()) {
    const failuresBeforeKill = load.failures.length;
    const killStart = performance.now();
    await oldNode.kill();
    const killedAt = performance.now();
    await load.waitForRequests(requestsPerStep);
    const lostConnections = load.failures.slice(failuresBeforeKill);
    check(`connections lost with ${oldNode.name} do not exceed the open ones`, lostConnections.length <= 2 * clients, true);
    check(
      `failed connections that were opened after ${oldNode.name} was killed`,
      lostConnections.filter(({ startMs }) => startMs > killedAt).length,
      0,
    );
    console.log(
      `   ${oldNode.name} killed: ${lostConnections.length} connections failed, all within ${formatLastFailure(lostConnections, killStart)} ms`,
    );
    const restarted = await startNode(`${oldNode.name}-again`, `127.0.78.${i + 4}`);
    nodes[i] = restarted;
    const failuresBefore = load.failures.length;
    while (!load.answersByNode.has(restarted.name) && load.failures.length === failuresBefore) await load.waitForRequests(10);
    check(`${restarted.name} is used again`, load.answersByNode.has(restarted.name), true);
  }
  report('killed', load.total - total, load);
  check(
    'responses with wrong bytes',
    load.failures
      .filter(({ problem }) => problem.includes('WRONG'))
      .map(({ problem }) => problem)
      .join(),
    '',
  );
}

/** Checks that no connections and no listening ports remain. */
async function checkShutdown(
  cloud: TcpCloud,
  nodes: TrafficNode[],
  load: Load,
  { host, started }: { readonly host: string; readonly started: number },
): Promise<void> {
  const failureCount = load.failures.length;
  await waitFor(() => cloud.held[0]?.connections === 0);
  check('remaining connections', cloud.held[0]?.connections, 0);
  await cloud.balancers.delete(balancerRequest());
  check('remaining load balancers', cloud.held.length, 0);
  const loadAfterDeletion = startLoad({ host, httpPort: 18_480, framePort: 18_481, clients: 1 });
  await waitFor(() => loadAfterDeletion.failures.length >= 2);
  await loadAfterDeletion.stop();
  check('requests answered after the deletion', loadAfterDeletion.total, 0);
  for (const node of nodes.splice(0)) await node.drain();
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `   ${load.total} requests in ${seconds.toFixed(1)} s, by ${2 * clients} clients; ${failureCount} lost with nodes that were killed`,
  );
}

function balancerRequest(): BalancerRequest {
  return { clusterName: 'kubernetes', service, signal: new AbortController().signal };
}

function report(title: string, requests: number, load: Load): void {
  const byNode = [...load.answersByNode].map(([name, count]) => `${name} ${count}`).join(', ');
  console.log(`   ${title}: ${requests} requests; so far by node: ${byNode}`);
}

/** Formats the milliseconds from `since` until the last failure was noticed. */
function formatLastFailure(lostConnections: Load['failures'], since: number): string {
  return Math.max(0, ...lostConnections.map(({ failedMs }) => failedMs - since)).toFixed(0);
}

async function waitFor(condition: () => boolean): Promise<void> {
  const end = performance.now() + 60_000;
  while (!condition() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 5));
}

function check(title: string, actual: unknown, expected: unknown): void {
  const passed = actual === expected;
  counts[passed ? 'passed' : 'failed'] += 1;
  console.log(`${passed ? 'ok' : 'FAILED'} ${title}${passed ? '' : `: ${String(actual)}, expected ${String(expected)}`}`);
}
