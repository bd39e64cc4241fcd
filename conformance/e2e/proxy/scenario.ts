import type { Check } from './checks.ts';
import { checkText, compareWithFullLoad, load } from './kernel.ts';
import { type Agents, agentAt, checkStatements, requestFor } from './reach.ts';
import { createRules, type Mode, type NodeRules } from './rules.ts';
import { type ScriptedChange, scriptedChanges } from './scripted-changes.ts';
import { atFirst, loopbackOf, to } from './statements.ts';
import { families, topologyNodes } from './topology.ts';
import { firstWorld, objectsOf, type World } from './world.ts';

/** The rules of every node and family, and the agents. */
export interface Stage {
  readonly mode: Mode;
  readonly rules: readonly NodeRules[];
  readonly agents: Agents;
}

export function setStage(mode: Mode, agents: Agents): Stage {
  const rules = topologyNodes.flatMap(({ name }) => families.map((family) => createRules(mode, name, family)));
  return { mode, rules, agents };
}

/** Loads the rules of the first world, then the change for each further one. Existing connections must survive all changes. */
export async function runScenario(stage: Stage): Promise<Check[]> {
  const checks = [
    ...applyWorld('at first', firstWorld, stage),
    ...(await checkStatements('at first', [...atFirst, ...loopbackOf(stage.mode)], firstWorld, stage.agents)),
  ];
  const held = await holdConnections(stage.agents);
  checks.push(...held.checks);
  let world = firstWorld;
  for (const act of scriptedChanges(stage.mode)) {
    world = act.change(world);
    checks.push(...(await play(act, world, stage)), ...(await held.stillThere(act.what)));
  }
  return checks;
}

/** Updates every node to the world's objects: the change must be accepted by the tool, and have the same effect as a full load. */
export function applyWorld(when: string, world: World, { mode, rules }: Stage): Check[] {
  const objects = objectsOf(world);
  return rules.flatMap((each) => {
    const text = each.update(objects);
    const what = `${when}: ${mode} of node ${each.node}, ${each.family}, is accepted`;
    const toolError = checkText(mode, each.node, each.family, text);
    if (toolError !== '') return [{ what, found: toolError, expected: '' }];
    load(mode, each.node, each.family, text);
    return [{ what, found: '', expected: '' }, compareWithFullLoad(when, mode, each)];
  });
}

async function play({ what, statements }: ScriptedChange, world: World, stage: Stage): Promise<Check[]> {
  return [...applyWorld(what, world, stage), ...(await checkStatements(what, statements, world, stage.agents))];
}

const ASKING = ['client', 'a1', 'b1'];
const CONNECTIONS = 8;

interface HeldConnections {
  readonly checks: readonly Check[];
  stillThere(when: string): Promise<Check[]>;
}

/** Opens connections to the Service that contains all pods, from several places, and keeps them. */
async function holdConnections(agents: Agents): Promise<HeldConnections> {
  const keys = families.flatMap((family) => ASKING.flatMap((from) => Array.from({ length: CONNECTIONS }, (_, i) => ({ family, from, i }))));
  const ends = new Map<string, string>();
  for (const { family, from, i } of keys) {
    const request = requestFor(family, to('web', 'cluster IP', from, []), firstWorld);
    const [answer] = await agentAt(from, agents).ask({ ...request, action: 'hold', key: `${family}-${i}` });
    ends.set(`${family} ${from} ${i}`, answer?.pod ?? `no answer: ${answer?.failed}`);
  }
  const first = new Set(ends.values());
  return {
    checks: [{ what: 'connections are held', found: String([...first].every((end) => /^[ab]\d$/.test(end))), expected: 'true' }],
    stillThere: async (when) =>
      await Promise.all(
        keys.map(async ({ family, from, i }) => {
          const [answer] = await agentAt(from, agents).ask({ action: 'again', key: `${family}-${i}` });
          const what = `${when}: the connection ${i} from ${from}, ${family}, lives on`;
          return { what, found: answer?.pod ?? `no answer: ${answer?.failed}`, expected: ends.get(`${family} ${from} ${i}`) ?? '' };
        }),
      ),
  };
}
