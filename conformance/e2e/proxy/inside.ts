import { startAgent } from './agents.ts';
import { outcomeOf } from './checks.ts';
import { churn } from './churn.ts';
import { buildNetwork } from './namespaces.ts';
import type { Mode } from './rules.ts';
import { runScenario, setStage } from './scenario.ts';
import { targetPorts } from './services.ts';
import { stickySessions } from './sticky.ts';
import { topologyNodes, topologyPods } from './topology.ts';

/**
 * Runs in the new network namespace: builds the network, starts the agents, runs all checks and prints the outcome. Usage: inside.ts MODE
 * ROUNDS SEED
 */
const [mode = 'nftables', rounds, seed] = process.argv.slice(2);

process.on('disconnect', () => process.exit());
buildNetwork(mode as Mode);
const asking = [...topologyNodes.map(({ name }) => name), 'client'].map((name) => startAgent(name, []));
const answering = topologyPods.map(({ name }) => startAgent(name, targetPorts));
const agents = new Map((await Promise.all([...asking, ...answering])).map((agent) => [agent.name, agent]));
const stage = setStage(mode as Mode, agents);
const checks = [...(await runScenario(stage)), ...(await stickySessions(stage)), ...(await churn(stage, Number(rounds), Number(seed)))];
process.send?.(outcomeOf(checks), () => process.exit());
