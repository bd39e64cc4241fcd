import { objectKey } from '../apimachinery/index.ts';
import { explainService, type ServiceExplanation } from '../explain/index.ts';
import { type BalancedNode, type BalancedService, explainLoadBalancer } from '../load-balancer/index.ts';
import { explainReadiness } from '../readiness/index.ts';
import { type Cluster, createCluster } from './cluster.ts';
import type { Destination } from './destination.ts';
import { resolve } from './name/resolve.ts';
import { TraceError, type TraceObjects, type TraceOptions, type TraceQuestion, type TraceService } from './objects.ts';
import { resolveOrigin } from './origin.ts';
import { counted } from './reasons.ts';
import { parseTarget, shownTarget } from './target.ts';
import type { Draft, Trace, TraceOutcome, TraceStage } from './trace.ts';
import { follow } from './way/follow.ts';

/**
 * Traces a request from a name to the pods that answer it: the client's search path, the DNS records, the Service and its port, the node's
 * rules, the endpoints, their pods, and what keeps pods from being ready.
 * @throws TraceError if the question cannot be answered: the target or a list is invalid, or the pod or node does not exist
 * @throws RangeError if the version of Kubernetes or the release of CoreDNS is unknown
 */
export function traceTarget(question: TraceQuestion, objects: TraceObjects, options: TraceOptions = {}): Trace {
  const target = parseTarget(question.target);
  checkObjects(objects);
  const cluster = createCluster(objects, options);
  const origin = resolveOrigin(question, objects);
  const { name, record, destination, port } = resolve(target, origin, cluster, options.dns ?? {});
  const followed = port === undefined || target.port !== undefined ? target : { ...target, port };
  const drafts = [name, record, ...follow(destination, followed, origin, cluster, (service) => explain(service, cluster))];
  const asked = {
    target: shownTarget(question.target),
    ...(question.from !== undefined && { from: question.from }),
    ...(question.node !== undefined && { node: question.node }),
  };
  return { ...asked, ...verdictOf(asked, destination, drafts), steps: drafts.map(({ step }) => step) };
}

function explain(service: TraceService, cluster: Cluster): ServiceExplanation {
  const { version, objects } = cluster;
  const { nodes, events } = objects;
  const selected = cluster.podsOf(service);
  // If no pod is selected, pass all pods: the explanation then names the closest match.
  const pods = selected.length > 0 ? selected : objects.pods;
  return explainService(service, pods, {
    version,
    readiness: (pod) => explainReadiness(pod, { version }).causes,
    current: objects.endpoints?.find(({ metadata }) => isOf(service, metadata)),
    // A Service without a uid was never stored in a cluster, so no load balancer is pending.
    loadBalancing: () =>
      service.metadata?.uid
        ? explainLoadBalancer({
            service: service as BalancedService,
            nodes: nodes as readonly BalancedNode[] | undefined,
            events,
            version,
          })
        : [],
  });
}

const isOf = ({ metadata: own }: TraceService, metadata: TraceService['metadata']): boolean =>
  (own?.name ?? '') === (metadata?.name ?? '') && (own?.namespace ?? '') === (metadata?.namespace ?? '');

/** Checks that lists contain objects, as callers from JavaScript can pass anything. @throws TraceError naming the field */
export function checkObjects(objects: TraceObjects): void {
  for (const field of ['services', 'pods'] as const) {
    if (!Array.isArray(objects[field])) throw new TraceError(`objects.${field}: give a list, which may be empty`);
  }
  for (const field of fields) checkList(objects[field], `objects.${field}`);
  for (const [at, slice] of (objects.slices ?? []).entries()) checkList(slice.endpoints, `objects.slices[${at}].endpoints`);
}

const fields = ['services', 'pods', 'slices', 'endpoints', 'nodes', 'namespaces', 'serviceCIDRs', 'events'] as const;

function checkList(list: readonly unknown[] | null | undefined, path: string): void {
  const at = (list ?? []).findIndex((each) => typeof each !== 'object' || each === null);
  if (at >= 0) throw new TraceError(`${path}[${at}]: give an object, not ${JSON.stringify(list?.[at])}`);
}

type QuestionFields = Pick<Trace, 'target' | 'from' | 'node'>;

/** The outcome and the sentence that summarizes the trace. */
export function verdictOf(
  { target, from, node }: QuestionFields,
  destination: Destination,
  drafts: readonly Draft[],
): Pick<Trace, 'outcome' | 'verdict'> {
  const outcome = outcomeOf(destination, drafts);
  const origin = node !== undefined ? ` from node ${node}` : from !== undefined ? ` from ${from}` : '';
  return { outcome, verdict: `${target} ${sentences[outcome](destination, drafts, origin)}.` };
}

/** An error in one of these stages makes the target unreachable; the stages after them only explain the cause. */
const decisive: readonly TraceStage[] = ['name', 'record', 'service', 'policy', 'endpoints'];
/** A problem in one of these stages reduces the set of reachable endpoints. */
const narrowing: readonly TraceStage[] = ['policy', 'endpoints', 'pod', 'readiness'];

function outcomeOf({ kind }: Destination, drafts: readonly Draft[]): TraceOutcome {
  const isDecisive = ({ step: { stage, outcome } }: Draft): boolean =>
    outcome === 'error' && (decisive.includes(stage) || (kind === 'pod' && stage === 'pod'));
  if (kind === 'nowhere' || drafts.some(isDecisive)) return 'unreachable';
  if (kind === 'outside' || kind === 'unknown') return 'outside';
  const narrows = ({ step: { stage, outcome } }: Draft): boolean =>
    narrowing.includes(stage) && (outcome === 'warning' || outcome === 'error');
  return drafts.some(narrows) ? 'degraded' : 'reached';
}

type Sentence = (destination: Destination, drafts: readonly Draft[], origin: string) => string;

const sentences: Readonly<Record<TraceOutcome, Sentence>> = {
  reached: (destination, drafts, origin) => `reaches ${describeGoal(destination, drafts)}${origin}`,
  degraded: (destination, drafts, origin) =>
    `reaches ${describeGoal(destination, drafts)}${origin}, but with problems: ${describeProblem(drafts, narrowing)}`,
  outside: (destination, drafts, origin) =>
    destination.kind === 'outside'
      ? `leads outside the cluster${origin}, to ${destination.description}`
      : `leads to no Service and no pod${origin}: ${describeProblem(drafts, decisive)}`,
  unreachable: (_, drafts, origin) => `reaches nothing${origin}: ${describeProblem(drafts, decisive)}`,
};

function describeGoal(destination: Destination, drafts: readonly Draft[]): string {
  if (destination.kind === 'pod') return `pod ${objectKey(destination.pod)}`;
  const reached = drafts.find(({ step }) => step.stage === 'endpoints')?.step.chosen.length ?? 0;
  const service = 'service' in destination && destination.service ? ` of Service ${objectKey(destination.service)}` : '';
  return `${counted(reached, 'endpoint')}${service}`;
}

/** The first problem; if endpoints are missing, also the cause found at the pods. */
function describeProblem(drafts: readonly Draft[], stages: readonly TraceStage[]): string {
  const blamed = drafts.filter(({ blame, step }) => blame !== undefined && step.outcome !== 'ok' && step.outcome !== 'skipped');
  const first = blamed.find(({ step: { stage } }) => stages.includes(stage)) ?? blamed[0];
  if (!first) return 'no step reports a cause';
  const isOfPods = first.step.stage === 'endpoints' || first.step.stage === 'record';
  const deeper = isOfPods ? blamed.find(({ step: { stage } }) => stage === 'pod' || stage === 'readiness') : undefined;
  const isItsCause = first.step.outcome === 'error' || deeper?.step.stage === 'readiness';
  return [first, deeper].flatMap((each) => (each?.blame !== undefined ? [inSentence(each.blame)] : [])).join(isItsCause ? ': ' : '; ');
}

/** Lowers the first letter unless the text starts with a name. */
const inSentence = (text: string): string =>
  text.replace(/^(The|There|No|Names|Nothing|None|Of|A|Node|Pod|This|These|Traffic)(?= )/, (word) => word.toLowerCase());
