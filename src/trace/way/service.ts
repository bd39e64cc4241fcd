import { objectKey } from '../../apimachinery/index.ts';
import type { Problem, ServiceExplanation } from '../../explain/index.ts';
import { isWatched } from '../../proxy/index.ts';
import type { Cluster } from '../cluster.ts';
import type { Destination } from '../destination.ts';
import type { TraceService } from '../objects.ts';
import { clause, note } from '../reasons.ts';
import type { Target } from '../target.ts';
import { type Draft, draft, type TraceNote } from '../trace.ts';
import { type ChosenPort, choosePort, type Port, portItem, portsOf, roleTexts } from './ports.ts';
import { problemNote } from './problems.ts';

/** The step "service" and the followed port. */
export interface ServiceStep {
  readonly draft: Draft;
  readonly port?: Port;
}

export type OfService = Extract<Destination, { readonly service?: TraceService }> & { readonly service: TraceService };

/** Creates the step of the Service and chooses the port. Also used for a Service whose name has no records. */
export function serviceStep(destination: OfService, target: Target, explained: ServiceExplanation, cluster: Cluster): ServiceStep {
  const { service } = destination;
  const { port, notes, problem } = selectPort(destination, target, cluster);
  const problems = explained.problems.filter(isOfService);
  const isPending = destination.kind === 'nowhere' && !service.spec?.clusterIP && service.spec?.type !== 'ExternalName';
  const error = isPending ? note('ClusterIPAwaited', { service: objectKey(service) }, 'service.spec.clusterIP') : problem;
  const others = portsOf(service).filter((each) => !port || each.name !== port.name || each.protocol !== port.protocol);
  const isServed = isWatched(service, 'Service');
  return {
    draft: draft('service', `Service ${objectKey(service)}`, {
      outcome: error ? 'error' : problems.some(({ severity }) => severity !== 'info') || !isServed ? 'warning' : 'ok',
      notes: [
        ...(error ? [error] : []),
        introduceService(destination),
        ...placeholderNotes(service, cluster),
        ...notes,
        ...(isServed ? [] : [note('ServedByOther', {}, 'service.metadata.labels["service.kubernetes.io/service-proxy-name"]')]),
        ...problems.map(problemNote),
      ],
      chosen: port ? [portItem(service, port)] : [],
      leftOut: others.map((each) => portItem(service, each, [note('OfOtherPort')])),
      blame: error && clause(error.message),
    }),
    ...(port && !isPending && { port }),
  };
}

/** Without a cluster IP no port is translated, so a port that the Service does not declare is not an error. */
function selectPort(destination: OfService, target: Target, cluster: Cluster): ChosenPort {
  const { kind, service } = destination;
  const chosen = choosePort(target, service, {
    role: kind === 'service' ? destination.role : 'cluster',
    slices: cluster.slicesOf(service),
  });
  if (service.spec?.type === 'ExternalName') return { notes: [] };
  const isDirect = kind === 'endpoints' || service.spec?.clusterIP === 'None';
  return isDirect && chosen.problem ? { notes: [] } : chosen;
}

function introduceService(destination: OfService): TraceNote {
  const { service } = destination;
  if (destination.kind === 'service' && destination.role !== 'cluster') {
    const values = { address: destination.address, what: roleTexts[destination.role], service: objectKey(service) };
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
  return [note('AddressStandsIn', { address: service.spec?.clusterIP ?? '' }, 'service.spec.clusterIP')];
}

/** Problems of pods are reported in the pod step; ServiceIsExternalName repeats the introduction. */
const isOfService = ({ code }: Problem): boolean => !ofPods.includes(code) && code !== 'ServiceIsExternalName';

export const ofPods: readonly string[] = [
  'SelectorMatchesNothing',
  'SelectorIsEmpty',
  'NoPodEligible',
  'NoPodReady',
  'PortFoundNowhere',
  'PortMissingInSomePods',
  'ServiceHasNoSelector',
  'ServiceHasNoPorts',
];
