import type { Agent, AgentRequest, DialResult } from './agents.ts';
import { type Check, formatSet } from './checks.ts';
import type { Mode } from './rules.ts';
import { type Port, type Target, targetOf, testServices, type Via } from './services.ts';
import { clientAddresses, type Family, families, topologyNodes } from './topology.ts';
import type { World } from './world.ts';

/** The exact set of pods that answer in many tries; "refused" or "dropped" if every connection is refused or not answered. */
export type Expected = readonly string[] | 'refused' | 'dropped';

/** An expected connectivity, written by hand from Kubernetes' documented behavior. */
export interface Statement {
  /** "web", or "web:admin" for a named port; "web@first" for its address in the first world, even if the Service has changed. */
  readonly service: string;
  readonly via: Via;
  /** A pod, a node, the client at its first address, or "stranger": the client at its second address. */
  readonly from: string;
  readonly expected: Expected;
  /** What the mode ipvs does instead: without a local endpoint, the policy Local falls back to others, and it applies to pods as well. */
  readonly ipvs?: Expected;
  /** The source address that the pod sees: the client's own, or a node's. A pod that reaches itself always sees a node's. */
  readonly source?: 'own' | 'node';
  /** By default both families. */
  readonly families?: readonly Family[];
}

const CONCURRENCY = 20;
/** The chance that random balancing misses one of three pods in this many rounds is below 1 in 10^40. */
const MAX_ROUNDS = 12;

/** How often a client connects before the pods that it reaches are compared with the expected ones. */
interface Effort {
  readonly minRounds: number;
  readonly triesPerRound: (podCount: number) => number;
}

const randomBalancing: Effort = { minRounds: 3, triesPerRound: () => CONCURRENCY };

/** ipvs balances by turns: this many tries reach all pods, and any other. Its kernel is slow (user-mode-linux.ts). */
const effortByMode: Readonly<Record<Mode, Effort>> = {
  nftables: randomBalancing,
  iptables: randomBalancing,
  ipvs: { minRounds: 1, triesPerRound: (podCount) => 2 * podCount },
};

/** The mode of the rules, and the agents that connect. */
interface Clients {
  readonly mode: Mode;
  readonly agents: Agents;
}
const DROPPED_TIMEOUT_MS = 1000;

/** Checks every statement in both families. */
export async function checkStatements(when: string, statements: readonly Statement[], world: World, clients: Clients): Promise<Check[]> {
  const hasFamily = (family: Family, statement: Statement): boolean => (statement.families ?? families).includes(family);
  const tries = families.flatMap((family) =>
    statements.filter((statement) => hasFamily(family, statement)).map((statement) => ({ family, statement })),
  );
  const checks: Check[] = [];
  while (tries.length > 0) {
    const batch = tries.splice(0, CONCURRENCY);
    checks.push(...(await Promise.all(batch.map(({ family, statement }) => checkStatement(when, family, statement, world, clients)))));
  }
  return checks;
}

export type Agents = ReadonlyMap<string, Agent>;

/** Returns the request with which an agent tries a statement's connection. */
export function requestFor(family: Family, statement: Statement, world: World): Partial<AgentRequest> & Target {
  const { port, target } = portOf(family, statement, world);
  const index = { client: 0, stranger: 1 }[statement.from];
  const from = index === undefined ? undefined : clientAddresses[index]?.[family];
  return { ...target, action: port.protocol === 'UDP' ? 'datagram' : 'dial', ...(from !== undefined && { from }) };
}

/** The agent of a pod, a node or a client. */
export function agentAt(name: string, agents: Agents): Agent {
  const agent = agents.get(name === 'stranger' ? 'client' : name);
  if (agent === undefined) throw new Error(`there is no agent at ${name}`);
  return agent;
}

async function checkStatement(when: string, family: Family, statement: Statement, world: World, { mode, agents }: Clients): Promise<Check> {
  const { expected, service, via, from } = statement;
  const agent = agentAt(from, agents);
  const request = requestFor(family, statement, world);
  const what = `${when}: ${service} by the ${via} from ${from}, ${family}`;
  if (typeof expected === 'string') {
    const tries = await agent.send({ ...request, times: 3, ...(expected === 'dropped' && { timeoutMs: DROPPED_TIMEOUT_MS }) });
    const found = new Set(tries.map((dialled) => dialled.pod ?? outcomes[dialled.failed] ?? dialled.failed));
    return { what, found: formatSet(found), expected };
  }
  const { minRounds, triesPerRound } = effortByMode[mode];
  const answers: DialResult[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (round >= (expected.length === 1 ? 1 : minRounds) && expected.every((pod) => answers.some((answer) => answer.pod === pod))) break;
    const newAnswers = await agent.send({ ...request, times: triesPerRound(expected.length) });
    answers.push(...newAnswers);
    if (newAnswers.some(({ failed }) => failed !== undefined)) break;
  }
  const { port } = portOf(family, statement, world);
  return { what, found: summarizeAnswers(answers, statement, port.targetPort), expected: formatSet(new Set(expected)) };
}

const outcomes: Readonly<Record<string, string>> = { ECONNREFUSED: 'refused', TIMEOUT: 'dropped' };

/** Lists the pods that answered, each with the problems of its answers. */
function summarizeAnswers(answers: readonly DialResult[], { from, source }: Statement, port: number): string {
  const clientIPs = new Set<string>(clientAddresses.flatMap((address) => Object.values(address)));
  const nodes = new Set<string>(topologyNodes.flatMap(({ address }) => Object.values(address)));
  const summaries = answers.map((answer) => {
    if (answer.failed !== undefined) return outcomes[answer.failed] ?? answer.failed;
    const problems = answer.port === port ? [] : [`on ${answer.port}`];
    const expectedSource = answer.pod === from && source !== undefined ? 'node' : source;
    const isOfNode = nodes.has(answer.source) || /^10\.1\.\d\.1$/.test(answer.source);
    const isOwn = from === 'client' || from === 'stranger' ? clientIPs.has(answer.source) : !isOfNode && !clientIPs.has(answer.source);
    if (expectedSource === 'own' && !isOwn) problems.push(`source ${answer.source}`);
    if (expectedSource === 'node' && !isOfNode) problems.push(`source ${answer.source}`);
    return [answer.pod, ...problems].join(' ');
  });
  return formatSet(new Set(summaries));
}

function portOf(family: Family, { service, via }: Statement, world: World): { readonly port: Port; readonly target: Target } {
  const [serviceAndPort = '', when] = service.split('@');
  const [name, portName] = serviceAndPort.split(':');
  const testService = (when === undefined ? world.services : testServices).find((part) => part.name === name);
  const port = testService?.ports.find((candidate) => portName === undefined || candidate.name === portName);
  if (testService === undefined || port === undefined) throw new Error(`there is no ${service}`);
  const nodes = Object.fromEntries(topologyNodes.map((node) => [node.name, node.address]));
  return { port, target: targetOf(testService, port, via, family, nodes) };
}
