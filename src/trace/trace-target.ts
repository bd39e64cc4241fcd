import { objectKey } from '../apimachinery/index.ts';
import { diagnoseService, explainService, type ServiceExplanation } from '../explain/index.ts';
import { type BalancedNode, type BalancedService, explainLoadBalancer } from '../load-balancer/index.ts';
import { explainReadiness } from '../readiness/index.ts';
import { findTraceCause } from './cause.ts';
import { type Cluster, createCluster } from './cluster.ts';
import type { FinalDestination } from './destination.ts';
import { type ResolvedTarget, resolve } from './name/resolve.ts';
import { TraceError, type TraceObjects, type TraceOptions, type TraceQuestion, type TraceService } from './objects.ts';
import { type Origin, resolveOrigin } from './origin.ts';
import { hidePlaceholders } from './placeholders.ts';
import { formatCount } from './reasons.ts';
import { followDestination } from './steps/follow.ts';
import { idOfPort, portsOf } from './steps/ports.ts';
import { routeTarget } from './steps/route.ts';
import { followRoute } from './steps/routed.ts';
import { hideCredentials, parseTarget, type Target } from './target.ts';
import type { StepResult, Trace, TraceCause, TraceOutcome, TraceStage } from './trace.ts';

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
  const resolved = resolve(target, origin, cluster, options.dns ?? {});
  const { destination, results } = follow(resolved, target, question.target, origin, cluster);
  const questionFields = {
    target: hideCredentials(question.target),
    ...(question.from !== undefined && { from: question.from }),
    ...(question.node !== undefined && { node: question.node }),
  };
  const verdict = verdictOf(questionFields, destination, results);
  const cause = verdict.outcome === 'reached' ? undefined : findCause(results, destination, origin, cluster);
  const trace: Trace = { ...questionFields, ...verdict, ...(cause && { cause }), steps: results.map(({ step }) => step) };
  return hidePlaceholders(trace, objects);
}

interface FollowedPath {
  readonly destination: FinalDestination;
  readonly results: readonly StepResult[];
}

/** Follows the name to its Service or pod, or, if it leads outside the cluster, through the Ingress or the Gateway for its host. */
function follow(resolved: ResolvedTarget, target: Target, text: string, origin: Origin, cluster: Cluster): FollowedPath {
  const { name, record, destination, port } = resolved;
  const explainTarget = (service: TraceService): ServiceExplanation => explain(service, cluster);
  const route = destination.kind === 'outside' && !destination.loadBalancerService ? routeTarget(text, target, cluster) : undefined;
  if (!route) {
    const followedTarget = port === undefined || target.port !== undefined ? target : { ...target, port };
    return { destination, results: [name, record, ...followDestination(destination, followedTarget, origin, cluster, explainTarget)] };
  }
  const path = followRoute(route, origin, cluster, explainTarget);
  return { destination: path.destination, results: [name, record, ...path.results] };
}

function findCause(
  results: readonly StepResult[],
  destination: FinalDestination,
  { pod }: Origin,
  cluster: Cluster,
): TraceCause | undefined {
  const service = 'service' in destination ? destination.service : undefined;
  const { objects, release } = cluster;
  const { pods, nodes, workloads, events, services, endpoints, slices } = objects;
  const diagnoses = service
    ? diagnoseService(service, explain(service, cluster), { pods, nodes, workloads, events, services, endpoints, slices }, release)
    : [];
  const portItem = results.find(({ step }) => step.stage === 'service')?.step.chosen[0];
  const index = service ? portsOf(service).findIndex((port) => portItem?.id === idOfPort(service, port)) : -1;
  return findTraceCause({ results, destination, diagnoses, portPath: index < 0 ? undefined : `spec.ports[${index}]`, client: pod });
}

function explain(service: TraceService, cluster: Cluster): ServiceExplanation {
  const { release, objects } = cluster;
  const { nodes, events } = objects;
  const selectedPods = cluster.podsOf(service);
  // If no pod is selected, pass all pods: the explanation then names the closest match.
  const pods = selectedPods.length > 0 ? selectedPods : objects.pods;
  return explainService(service, pods, {
    ...release,
    readiness: (pod) => explainReadiness(pod, release).causes,
    current: objects.endpoints?.find(({ metadata }) => isSameObject(service, metadata)),
    // A Service without a uid was never stored in a cluster, so no load balancer is pending.
    loadBalancing: () =>
      service.metadata?.uid
        ? explainLoadBalancer({
            service: service as BalancedService,
            nodes: nodes as readonly BalancedNode[] | undefined,
            events,
            ...release,
          })
        : [],
  });
}

const isSameObject = ({ metadata: serviceMetadata }: TraceService, metadata: TraceService['metadata']): boolean =>
  (serviceMetadata?.name ?? '') === (metadata?.name ?? '') && (serviceMetadata?.namespace ?? '') === (metadata?.namespace ?? '');

/** Checks that lists contain objects, as callers from JavaScript can pass anything. @throws TraceError naming the field */
export function checkObjects(objects: TraceObjects): void {
  for (const field of ['services', 'pods'] as const) {
    if (!Array.isArray(objects[field])) throw new TraceError(`objects.${field}: give a list, which may be empty`);
  }
  for (const field of listFields) checkList(objects[field], `objects.${field}`);
  for (const [index, slice] of (objects.slices ?? []).entries()) checkList(slice.endpoints, `objects.slices[${index}].endpoints`);
}

const listFields = ['services', 'pods', 'slices', 'endpoints', 'nodes', 'namespaces', 'serviceCIDRs', 'events'] as const;

function checkList(list: readonly unknown[] | null | undefined, path: string): void {
  const index = (list ?? []).findIndex((each) => typeof each !== 'object' || each === null);
  if (index >= 0) throw new TraceError(`${path}[${index}]: give an object, not ${JSON.stringify(list?.[index])}`);
}

type QuestionFields = Pick<Trace, 'target' | 'from' | 'node'>;

/** The outcome and the sentence that summarizes the trace. */
export function verdictOf(
  { target, from, node }: QuestionFields,
  destination: FinalDestination,
  results: readonly StepResult[],
): Pick<Trace, 'outcome' | 'headline' | 'verdict'> {
  const outcome = outcomeOf(destination, results);
  const origin = node !== undefined ? ` from node ${node}` : from !== undefined ? ` from ${from}` : '';
  const { headline, problem = '' } = sentences[outcome](destination, results, origin);
  return { outcome, headline: `${target} ${headline}`, verdict: `${target} ${headline}${problem}.` };
}

/** An error in one of these stages makes the target unreachable; the stages after them only explain the cause. */
const decisiveStages: readonly TraceStage[] = ['name', 'record', 'route', 'service', 'policy', 'endpoints', 'network'];
/** A problem in one of these stages reduces the set of reachable endpoints. */
const narrowingStages: readonly TraceStage[] = ['route', 'policy', 'endpoints', 'network', 'pod', 'readiness'];

function outcomeOf({ kind }: FinalDestination, results: readonly StepResult[]): TraceOutcome {
  const stopsTraffic = ({ step: { stage, outcome } }: StepResult): boolean =>
    outcome === 'error' && (decisiveStages.includes(stage) || (kind === 'pod' && stage === 'pod'));
  if (kind === 'nowhere' || results.some(stopsTraffic)) return 'unreachable';
  if (kind === 'outside' || kind === 'unknown') return 'outside';
  const narrows = ({ step: { stage, outcome } }: StepResult): boolean =>
    narrowingStages.includes(stage) && (outcome === 'warning' || outcome === 'error');
  return results.some(narrows) ? 'degraded' : 'reached';
}

interface Sentence {
  readonly headline: string;
  /** The end of the sentence, with its punctuation. */
  readonly problem?: string;
}

const sentences: Readonly<
  Record<TraceOutcome, (destination: FinalDestination, results: readonly StepResult[], origin: string) => Sentence>
> = {
  reached: (destination, results, origin) => ({
    headline:
      destination.kind === 'redirect'
        ? `is redirected to ${destination.location}${origin}`
        : `reaches ${describeDestination(destination, results)}${origin}${describeOpenQuestion(results)}`,
  }),
  degraded: (destination, results, origin) => ({
    headline: `reaches ${describeDestination(destination, results)}${origin}, but with problems`,
    problem: `: ${describeProblem(results, narrowingStages)}`,
  }),
  outside: (destination, results, origin) =>
    destination.kind === 'outside'
      ? { headline: `leads outside the cluster${origin}, to ${destination.description}` }
      : { headline: `leads to no Service and no pod${origin}`, problem: `: ${describeProblem(results, decisiveStages)}` },
  unreachable: (_, results, origin) => ({ headline: `reaches nothing${origin}`, problem: `: ${describeProblem(results, decisiveStages)}` }),
};

function describeOpenQuestion(results: readonly StepResult[]): string {
  const unknownStages = results.filter(({ step }) => step.outcome === 'unknown').map(({ step }) => step.stage);
  if (unknownStages.includes('route')) return ', as far as the input shows';
  return unknownStages.length > 0 ? ', if network policies allow it' : '';
}

function describeDestination(destination: FinalDestination, results: readonly StepResult[]): string {
  if (destination.kind === 'pod') return `pod ${objectKey(destination.pod)}`;
  const reachedCount = results.find(({ step }) => step.stage === 'endpoints')?.step.chosen.length ?? 0;
  const service = 'service' in destination && destination.service ? ` of Service ${objectKey(destination.service)}` : '';
  const route = results.find(({ step }) => step.stage === 'route')?.step.title;
  return `${formatCount(reachedCount, 'endpoint')}${service}${route === undefined ? '' : ` through ${route}`}`;
}

/**
 * Describes the cause of the first failing step; for the steps "record" and "endpoints", also the cause that the pod or readiness step
 * reports.
 */
function describeProblem(results: readonly StepResult[], stages: readonly TraceStage[]): string {
  const failingSteps = results.filter(({ cause, step }) => cause !== undefined && step.outcome !== 'ok' && step.outcome !== 'skipped');
  const mainStep = failingSteps.find(({ step: { stage } }) => stages.includes(stage)) ?? failingSteps[0];
  if (!mainStep) return 'no step reports a cause';
  const mayBeCausedByPods = mainStep.step.stage === 'endpoints' || mainStep.step.stage === 'record';
  const podStep = mayBeCausedByPods ? failingSteps.find(({ step: { stage } }) => stage === 'pod' || stage === 'readiness') : undefined;
  const podsAreTheCause = mainStep.step.outcome === 'error' || podStep?.step.stage === 'readiness';
  return [mainStep, podStep]
    .flatMap((each) => (each?.cause !== undefined ? [lowerFirstWord(each.cause)] : []))
    .join(podsAreTheCause ? ': ' : '; ');
}

/** Lowers the first letter if the text starts with one of these words; other texts start with a name. */
const lowerFirstWord = (text: string): string =>
  text.replace(/^(The|There|No|Names|Nothing|None|Of|A|Node|Pod|This|These|Traffic)(?= )/, (word) => word.toLowerCase());
