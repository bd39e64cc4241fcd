import { startAgent } from './agents.ts';
import { outcomeOf } from './checks.ts';
import { churn } from './churn.ts';
import { buildNetwork } from './namespaces.ts';
import type { Mode } from './rules.ts';
import { createSetup, runScenario } from './scenario.ts';
import { targetPorts } from './services.ts';
import { checkStickySessions } from './sticky.ts';
import { topologyNodes, topologyPods } from './topology.ts';

/**
 * Runs in the new network namespace: builds the network, starts the agents, runs all checks, and sends the outcome to the parent process.
 * Without one, as on a kernel of its own, prints it. Usage: inside.ts MODE ROUNDS SEED RELEASE
 */
const [mode = 'nftables', rounds, seed, release] = process.argv.slice(2);

process.on('disconnect', () => process.exit());
buildNetwork(mode as Mode);
const clients = [...topologyNodes.map(({ name }) => name), 'client'].map((name) => startAgent(name, []));
const pods = topologyPods.map(({ name }) => startAgent(name, targetPorts));
const agents = new Map((await Promise.all([...clients, ...pods])).map((agent) => [agent.name, agent]));
const setup = createSetup(mode as Mode, agents, release);
const checks = [
  ...(await runScenario(setup)),
  ...(await checkStickySessions(setup)),
  ...(await churn(setup, Number(rounds), Number(seed))),
];
const outcome = outcomeOf(checks);
if (process.send !== undefined) process.send(outcome, () => process.exit());
else process.stdout.write(`\n${JSON.stringify(outcome)}\n`, () => process.exit());
