import type { Workload } from 'kube-endpoints/explain';
import { diagnoseService, explainService } from 'kube-endpoints/explain';
import { explainReadiness } from 'kube-endpoints/readiness';
import { createStateTracker, readyEndpoints, type ServiceName, type ServiceState, usesSlices } from './service-state.ts';
import { type History, type ObjectVersion, type RecordedEvent, type RecordedKind, recordedKinds } from './types.ts';

/** Why a Service has no ready endpoint, or what else is wrong, by the rules of `kube-endpoints`. */
export interface Why {
  /** The code of a diagnosis, such as "SelectorMatchesNothing"; docs/reasons.md lists them all. */
  readonly code: string;
  readonly message: string;
}

export interface ServiceSnapshot {
  /** False if the recording does not show the Service. */
  readonly isServiceKnown: boolean;
  /** The ready addresses that are written, sorted. */
  readonly addresses: readonly string[];
  /** The pods that the Service selects, or whose addresses are written. */
  readonly pods: readonly { readonly name: string; readonly isReady: boolean; readonly reasons: readonly Why[] }[];
  readonly why: readonly Why[];
  /** Pods in the endpoints of the Service that the recording does not show. */
  readonly unknownPods: readonly string[];
}

/**
 * The state of a Service after a version of the history, and why it has no ready endpoint or fewer than it could.
 * @param id the version; -1 for the state before the first
 */
export function snapshotService(history: History, name: ServiceName, id: number): ServiceSnapshot {
  const tracker = createStateTracker(name);
  for (const version of history.versions.slice(0, id + 1)) tracker.apply(version);
  const at = history.versions[id]?.time.latest ?? history.from;
  return describeState(
    tracker.state,
    history.versions,
    history.events.filter((event) => event.at <= at),
    usesSlices(history, name),
  );
}

function describeState(
  state: ServiceState,
  versions: readonly ObjectVersion[],
  events: readonly RecordedEvent[],
  hasSlices: boolean,
): ServiceSnapshot {
  const { service, pods, nodes } = state;
  const written = readyEndpoints(state, hasSlices);
  const known = new Set(pods.map(({ metadata }) => metadata?.name));
  const common = {
    isServiceKnown: service !== undefined,
    addresses: [...written.addresses].sort(),
    unknownPods: [...written.pods].filter((pod) => !known.has(pod)).sort(),
  };
  if (!service) return { ...common, pods: [...written.pods].sort().map((name) => ({ name, isReady: true, reasons: [] })), why: [] };
  const explanation = explainService(service, pods, { readiness: (pod) => explainReadiness(pod).causes });
  const nodeNames = new Set(nodes.map(({ metadata }) => metadata?.name));
  const areNodesKnown = pods.every(({ spec }) => !spec?.nodeName || nodeNames.has(spec.nodeName));
  const diagnoses = diagnoseService(service, explanation, {
    pods,
    ...(areNodesKnown && isRecorded(versions, 'Node') && { nodes }),
    workloads: state.workloads.flatMap(({ object }) => (object ? [object as unknown as Workload] : [])),
    events: events.map(({ object }) => object as never),
    services: [service],
  });
  return {
    ...common,
    pods: explanation.pods.map(({ name, ready, reasons }) => ({ name, isReady: ready, reasons: reasons.map(toWhy) })),
    why: diagnoses.map(toWhy),
  };
}

const toWhy = ({ code, message }: Why): Why => ({ code, message });

const isRecorded = (versions: readonly ObjectVersion[], kind: RecordedKind): boolean =>
  recordedKinds.includes(kind) && versions.some((version) => version.kind === kind);
