import { objectKey } from '../../apimachinery/index.ts';
import type { Problem, ServiceExplanation } from '../../explain/index.ts';
import { isWatched } from '../../proxy/index.ts';
import type { Cluster } from '../cluster.ts';
import type { Destination } from '../destination.ts';
import type { TraceService } from '../objects.ts';
import { createNote, removeFullStop } from '../reasons.ts';
import type { Target } from '../target.ts';
import { createStep, type StepResult, type TraceNote } from '../trace.ts';
import { type ChosenPort, choosePort, createPortItem, type Port, portsOf, roleTexts } from './ports.ts';
import { createProblemNote } from './problems.ts';

/** The step "service" and the Service port that the trace follows. */
export interface ServiceStep {
  readonly result: StepResult;
  readonly port?: Port;
}

export type DestinationWithService = Extract<Destination, { readonly service?: TraceService }> & { readonly service: TraceService };

/** Creates the step of the Service and chooses the port. Also used for a Service whose name has no records. */
export function createServiceStep(
  destination: DestinationWithService,
  target: Target,
  explanation: ServiceExplanation,
  cluster: Cluster,
): ServiceStep {
  const { service } = destination;
  const { port, notes, problem } = selectPort(destination, target, cluster);
  const problems = explanation.problems.filter(isServiceProblem);
  const isPending = destination.kind === 'nowhere' && !service.spec?.clusterIP && service.spec?.type !== 'ExternalName';
  const error = isPending ? createNote('ClusterIPPending', { service: objectKey(service) }, 'service.spec.clusterIP') : problem;
  const otherPorts = portsOf(service).filter((each) => !port || each.name !== port.name || each.protocol !== port.protocol);
  const isServedByKubeProxy = isWatched(service, 'Service');
  return {
    result: createStep('service', `Service ${objectKey(service)}`, {
      outcome: error ? 'error' : problems.some(({ severity }) => severity !== 'info') || !isServedByKubeProxy ? 'warning' : 'ok',
      notes: [
        ...(error ? [error] : []),
        introduceService(destination),
        ...createPlaceholderNotes(service, cluster),
        ...notes,
        ...(isServedByKubeProxy
          ? []
          : [createNote('ServedByOtherProxy', {}, 'service.metadata.labels["service.kubernetes.io/service-proxy-name"]')]),
        ...problems.map(createProblemNote),
      ],
      chosen: port ? [createPortItem(service, port)] : [],
      leftOut: otherPorts.map((each) => createPortItem(service, each, [createNote('PortNotRequested')])),
      cause: error && removeFullStop(error.message),
    }),
    ...(port && !isPending && { port }),
  };
}

/**
 * Chooses the port; none for an ExternalName Service. Without a cluster IP, node rules do not translate ports, so a port that the Service
 * does not declare is not a problem.
 */
function selectPort(destination: DestinationWithService, target: Target, cluster: Cluster): ChosenPort {
  const { kind, service } = destination;
  const chosenPort = choosePort(target, service, {
    role: kind === 'service' ? destination.role : 'cluster',
    slices: cluster.slicesOf(service),
  });
  if (service.spec?.type === 'ExternalName') return { notes: [] };
  const isDirect = kind === 'endpoints' || service.spec?.clusterIP === 'None';
  return isDirect && chosenPort.problem ? { notes: [] } : chosenPort;
}

function introduceService(destination: DestinationWithService): TraceNote {
  const { service } = destination;
  if (destination.kind === 'service' && destination.role !== 'cluster') {
    const values = { address: destination.address, role: roleTexts[destination.role], service: objectKey(service) };
    return createNote('ServiceOfAddress', values);
  }
  const { type, clusterIP, externalName } = service.spec ?? {};
  if (type === 'ExternalName')
    return createNote('ServiceIsAlias', { service: objectKey(service), name: externalName ?? '' }, 'service.spec.externalName');
  if (clusterIP === 'None' || destination.kind === 'endpoints')
    return createNote('ServiceIsHeadless', { service: objectKey(service) }, 'service.spec.clusterIP');
  const address = destination.kind === 'service' ? destination.address : clusterIP || 'no address';
  return createNote('ServiceOfName', { service: objectKey(service), type: type || 'ClusterIP', address }, 'service.spec.clusterIP');
}

function createPlaceholderNotes(service: TraceService, { objects: { standIns } }: Cluster): TraceNote[] {
  if (!standIns?.has(objectKey(service))) return [];
  return [createNote('AddressIsPlaceholder', {}, 'service.spec.clusterIP')];
}

/**
 * Whether the service step reports the problem. The pod step reports problems of pods; ServiceIsExternalName would repeat the introduction.
 */
const isServiceProblem = ({ code }: Problem): boolean => !podReasonCodes.includes(code) && code !== 'ServiceIsExternalName';

/** Codes of problems that the pod step reports. */
export const podReasonCodes: readonly string[] = [
  'SelectorMatchesNothing',
  'SelectorIsEmpty',
  'NoPodEligible',
  'NoPodReady',
  'PortFoundInNoPod',
  'PortMissingInSomePods',
  'TargetPortUndeclared',
  'NotReadyPodsPublished',
  'ServiceHasNoSelector',
  'ServiceHasNoPorts',
];
