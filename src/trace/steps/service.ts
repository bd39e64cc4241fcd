import { objectKey } from '../../apimachinery/index.ts';
import type { Problem, ServiceExplanation } from '../../explain/index.ts';
import { isWatched } from '../../proxy/index.ts';
import type { Cluster } from '../cluster.ts';
import type { Destination } from '../destination.ts';
import type { TraceService } from '../objects.ts';
import { note, withoutFullStop } from '../reasons.ts';
import type { Target } from '../target.ts';
import { createStep, type StepResult, type TraceNote } from '../trace.ts';
import { type ChosenPort, choosePort, type Port, portItem, portsOf, roleTexts } from './ports.ts';
import { createProblemNote } from './problems.ts';

/** The step "service" and the Service port that the trace follows. */
export interface ServiceStep {
  readonly result: StepResult;
  readonly port?: Port;
}

export type DestinationWithService = Extract<Destination, { readonly service?: TraceService }> & { readonly service: TraceService };

/** Creates the step of the Service and chooses the port. Also used for a Service whose name has no records. */
export function serviceStep(
  destination: DestinationWithService,
  target: Target,
  explanation: ServiceExplanation,
  cluster: Cluster,
): ServiceStep {
  const { service } = destination;
  const { port, notes, problem } = selectPort(destination, target, cluster);
  const problems = explanation.problems.filter(isServiceProblem);
  const isPending = destination.kind === 'nowhere' && !service.spec?.clusterIP && service.spec?.type !== 'ExternalName';
  const error = isPending ? note('ClusterIPPending', { service: objectKey(service) }, 'service.spec.clusterIP') : problem;
  const otherPorts = portsOf(service).filter((each) => !port || each.name !== port.name || each.protocol !== port.protocol);
  const isServedByKubeProxy = isWatched(service, 'Service');
  return {
    result: createStep('service', `Service ${objectKey(service)}`, {
      outcome: error ? 'error' : problems.some(({ severity }) => severity !== 'info') || !isServedByKubeProxy ? 'warning' : 'ok',
      notes: [
        ...(error ? [error] : []),
        introduceService(destination),
        ...placeholderNotes(service, cluster),
        ...notes,
        ...(isServedByKubeProxy
          ? []
          : [note('ServedByOtherProxy', {}, 'service.metadata.labels["service.kubernetes.io/service-proxy-name"]')]),
        ...problems.map(createProblemNote),
      ],
      chosen: port ? [portItem(service, port)] : [],
      leftOut: otherPorts.map((each) => portItem(service, each, [note('PortNotRequested')])),
      cause: error && withoutFullStop(error.message),
    }),
    ...(port && !isPending && { port }),
  };
}

/** Without a cluster IP, node rules do not translate ports, so a port that the Service does not declare is not an error. */
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
    return note('ServiceOfAddress', values);
  }
  const { type, clusterIP, externalName } = service.spec ?? {};
  if (type === 'ExternalName')
    return note('ServiceIsAlias', { service: objectKey(service), name: externalName ?? '' }, 'service.spec.externalName');
  if (clusterIP === 'None' || destination.kind === 'endpoints')
    return note('ServiceIsHeadless', { service: objectKey(service) }, 'service.spec.clusterIP');
  const address = destination.kind === 'service' ? destination.address : clusterIP || 'no address';
  return note('ServiceOfName', { service: objectKey(service), type: type || 'ClusterIP', address }, 'service.spec.clusterIP');
}

function placeholderNotes(service: TraceService, { objects: { standIns } }: Cluster): TraceNote[] {
  if (!standIns?.has(objectKey(service))) return [];
  return [note('AddressIsPlaceholder', { address: service.spec?.clusterIP ?? '' }, 'service.spec.clusterIP')];
}

/** Problems of pods are reported in the pod step, and ServiceIsExternalName would repeat the introduction. */
const isServiceProblem = ({ code }: Problem): boolean => !podReasonCodes.includes(code) && code !== 'ServiceIsExternalName';

/** Codes of problems that the pod step reports. */
export const podReasonCodes: readonly string[] = [
  'SelectorMatchesNothing',
  'SelectorIsEmpty',
  'NoPodEligible',
  'NoPodReady',
  'PortFoundInNoPod',
  'PortMissingInSomePods',
  'ServiceHasNoSelector',
  'ServiceHasNoPorts',
];
