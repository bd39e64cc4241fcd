import { type ProxyGates, proxyGatesFor } from 'kube-endpoints/internal';
import type { Check } from './checks.ts';
import { adaptStatements } from './earlier.ts';
import { compareWithFullLoad, load } from './kernel.ts';
import { type Agents, agentAt, checkStatements, requestFor } from './reach.ts';
import { createRules, type Mode, type NodeRules } from './rules.ts';
import { type ScriptedChange, scriptedChanges } from './scripted-changes.ts';
import { expectTraffic, initialStatements, loopbackStatements } from './statements.ts';
import { families, topologyNodes } from './topology.ts';
import { firstWorld, objectsOf, type World } from './world.ts';

/** The rules of every node and family, and the agents. */
export interface Setup {
  readonly mode: Mode;
  readonly gates: ProxyGates;
  readonly rules: readonly NodeRules[];
  readonly agents: Agents;
}

export function createSetup(mode: Mode, agents: Agents, version?: string): Setup {
  const rules = topologyNodes.flatMap(({ name }) => families.map((family) => createRules({ mode, version }, name, family)));
  return { mode, gates: proxyGatesFor({ version }), rules, agents };
}

/** Loads the rules of the first cluster, then each scripted change of it. Existing connections must survive all changes. */
export async function runScenario(setup: Setup): Promise<Check[]> {
  const checks = [
    ...applyWorld('at first', firstWorld, setup),
    ...(await checkStatements(
      'at first',
      adaptStatements([...initialStatements, ...loopbackStatements(setup.mode)], firstWorld, setup),
      firstWorld,
      setup,
    )),
  ];
  const connections = await holdConnections(setup.agents);
  checks.push(...connections.checks);
  let world = firstWorld;
  for (const step of scriptedChanges(setup.mode)) {
    world = step.change(world);
    checks.push(...(await applyChange(step, world, setup)), ...(await connections.checkOpen(step.what)));
  }
  return checks;
}

/** Updates every node to the objects of a cluster. Checks that the tool accepts the change, and that a full load has the same effect. */
export function applyWorld(when: string, world: World, { mode, rules }: Setup): Check[] {
  const objects = objectsOf(world);
  return rules.flatMap((each) => {
    const text = each.update(objects);
    const what = `${when}: ${mode} of node ${each.node}, ${each.family}, is accepted`;
    const found = load(mode, each.node, each.family, text);
    return [{ what, found, expected: '' }, ...(found === '' ? [compareWithFullLoad(when, mode, each)] : [])];
  });
}

async function applyChange({ what, statements }: ScriptedChange, world: World, setup: Setup): Promise<Check[]> {
  return [...applyWorld(what, world, setup), ...(await checkStatements(what, adaptStatements(statements, world, setup), world, setup))];
}

const PEERS = ['client', 'a1', 'b1'];
const CONNECTION_COUNT = 8;

interface HeldConnections {
  readonly checks: readonly Check[];
  checkOpen(when: string): Promise<Check[]>;
}

/** Opens connections to the Service that contains all pods, from several places, and keeps them open. */
async function holdConnections(agents: Agents): Promise<HeldConnections> {
  const keys = families.flatMap((family) =>
    PEERS.flatMap((from) => Array.from({ length: CONNECTION_COUNT }, (_, i) => ({ family, from, i }))),
  );
  const podByKey = new Map<string, string>();
  for (const { family, from, i } of keys) {
    const request = requestFor(family, expectTraffic('web', 'cluster IP', from, []), firstWorld);
    const [answer] = await agentAt(from, agents).send({ ...request, action: 'hold', key: `${family}-${i}` });
    podByKey.set(`${family} ${from} ${i}`, answer?.pod ?? `no answer: ${answer?.failed}`);
  }
  const reachedPods = new Set(podByKey.values());
  return {
    checks: [{ what: 'connections are open', found: String([...reachedPods].every((end) => /^[ab]\d$/.test(end))), expected: 'true' }],
    checkOpen: async (when) =>
      await Promise.all(
        keys.map(async ({ family, from, i }) => {
          const [answer] = await agentAt(from, agents).send({ action: 'reuse', key: `${family}-${i}` });
          const what = `${when}: the connection ${i} from ${from}, ${family}, is still open`;
          return { what, found: answer?.pod ?? `no answer: ${answer?.failed}`, expected: podByKey.get(`${family} ${from} ${i}`) ?? '' };
        }),
      ),
  };
}
