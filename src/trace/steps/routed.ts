import { objectKey } from '../../apimachinery/index.ts';
import type { Cluster } from '../cluster.ts';
import type { FinalDestination } from '../destination.ts';
import type { Origin } from '../origin.ts';
import { createNote } from '../reasons.ts';
import type { StepResult, TraceStep } from '../trace.ts';
import { followDestination, type ServiceExplainer } from './follow.ts';
import type { Route, RoutedBackend } from './route.ts';

interface RoutedPath {
  readonly destination: FinalDestination;
  readonly results: readonly StepResult[];
}

/** Follows the backends of a route. The steps are those of the backend with the most problems, or else of the one with the largest share. */
export function followRoute(
  { result, backends, location }: Route,
  origin: Origin,
  cluster: Cluster,
  explain: ServiceExplainer,
): RoutedPath {
  const paths = backends.slice(0, maxBackends).map((backend) => followBackend(backend, origin, cluster, explain));
  const [worst] = paths.toSorted((a, b) => severityOf(b) - severityOf(a));
  if (!worst) return { destination: findEnd(result.step, location), results: [result] };
  const isPartial = paths.length > 1 && paths.some((path) => severityOf(path) < 2);
  const results = isPartial ? worst.results.map(toWarning) : worst.results;
  return { destination: worst.destination, results: [{ ...result, step: withFailures(result.step, paths) }, ...results] };
}

/** Where a request without a Service as its backend ends. */
function findEnd({ outcome }: TraceStep, location: string | undefined): FinalDestination {
  if (location !== undefined) return { kind: 'redirect', location };
  return outcome === 'unknown' ? { kind: 'outside', description: 'a backend that is not known here' } : { kind: 'nowhere' };
}

/** The number of backends that are followed: a rule of a route has at most 16, an Ingress one. */
const maxBackends = 16;

/** The client of a backend is the proxy of the Ingress or Gateway, whose pod is unknown. */
const followBackend = (
  { destination, target }: RoutedBackend,
  { namespace }: Origin,
  cluster: Cluster,
  explain: ServiceExplainer,
): RoutedPath => ({
  destination,
  results: followDestination(destination, target, { namespace, isProxy: true }, cluster, explain),
});

/** 2: no traffic reaches the backend; 1: it has problems; 0: it has none. */
function severityOf({ results }: RoutedPath): number {
  const outcomes = results.map(({ step }) => step).filter(({ stage }) => stage !== 'pod' && stage !== 'readiness');
  if (outcomes.some(({ outcome }) => outcome === 'error')) return 2;
  return results.some(({ step }) => step.outcome === 'warning' || step.outcome === 'error') ? 1 : 0;
}

/** Other backends receive traffic, so that an error concerns only a part of the requests. */
const toWarning = ({ step, ...rest }: StepResult): StepResult => ({
  ...rest,
  step: step.outcome === 'error' ? { ...step, outcome: 'warning' } : step,
});

/** Says at each backend that no traffic reaches why. */
function withFailures(step: TraceStep, paths: readonly RoutedPath[]): TraceStep {
  const causes = new Map(
    paths.flatMap((path): [string, string][] => {
      const service = 'service' in path.destination ? path.destination.service : undefined;
      const cause = path.results.find(({ cause: text, step: { outcome } }) => text !== undefined && outcome === 'error')?.cause;
      return severityOf(path) === 2 && service && cause !== undefined ? [[`service/${objectKey(service)}`, cause]] : [];
    }),
  );
  return {
    ...step,
    chosen: step.chosen.map((item) => {
      const cause = causes.get(item.id);
      return cause === undefined ? item : { ...item, notes: [...item.notes, createNote('BackendFails', { cause })] };
    }),
  };
}
