import { hasCleanupFinalizer } from 'kube-endpoints/internal';
import type { BalancedService } from 'kube-endpoints/load-balancer';
import { type ApiObject, resources } from 'kube-endpoints/port';
import type { HeldBalancer } from '../../../../packages/controllers/src/clouds/memory/balancers.ts';
import type { Chronicle } from '../../harness/chronicle.ts';
import { everything } from '../../harness/world.ts';
import { isElsewhere } from '../cloud/faults.ts';
import { places } from '../world/services.ts';
import type { DesiredState } from './desired-state.ts';

/** Problems of the final state: each wanted load balancer must exist once and as specified, and no others. */
export function checkFinal(chronicle: Chronicle, desired: DesiredState, held: readonly HeldBalancer[]): string[] {
  const services = places.flatMap((place) => chronicle.all(resources.services, place, everything)) as (ApiObject & BalancedService)[];
  const wanted = new Set(services.filter((service) => hasBalancer(service, desired)).map(({ metadata }) => metadata.uid));
  return [
    ...services.flatMap((service) => checkService(service, desired, held)),
    ...held
      .filter(({ reference }) => !wanted.has(reference.uid))
      .map((each) => `${nameOf(each)} has a load balancer that no Service wants`),
  ];
}

const nameOf = ({ reference: { namespace, name, uid } }: HeldBalancer): string => `${namespace}/${name} (${uid})`;

const hasBalancer = (service: ApiObject & BalancedService, desired: DesiredState): boolean =>
  desired.wants(service) && !isElsewhere(service.metadata.name ?? '');

function checkService(service: ApiObject & BalancedService, desired: DesiredState, held: readonly HeldBalancer[]): string[] {
  const { namespace, name, uid } = service.metadata;
  const found = held.filter(({ reference }) => reference.uid === uid);
  const is = hasBalancer(service, desired);
  const problems: string[] = [];
  if (found.length !== (is ? 1 : 0)) problems.push(`has ${found.length} load balancers, expected ${is ? '1' : '0'}`);
  // a Service with a class has the finalizer and status of the other controller
  const isForeign = !is && typeof service.spec?.loadBalancerClass === 'string' && !service.metadata.deletionTimestamp;
  if (!isForeign && hasCleanupFinalizer(service) !== desired.wants(service)) {
    problems.push(hasCleanupFinalizer(service) ? 'holds the finalizer for nothing' : 'does not hold the finalizer');
  }
  const status = JSON.stringify(addressesOf(service.status?.loadBalancer));
  const due = JSON.stringify(is ? addressesOf(found[0]?.status) : []);
  if (!isForeign && status !== due) problems.push(`has the status ${status}, expected ${due}`);
  if (is && found[0]) problems.push(...checkBalancer(found[0], service, desired));
  return problems.map((problem) => `${namespace}/${name} ${problem}`);
}

const addressesOf = (status: NonNullable<BalancedService['status']>['loadBalancer']): readonly unknown[] =>
  (status?.ingress ?? []).map(({ ip }) => ip);

function checkBalancer({ service: made, nodes }: HeldBalancer, service: BalancedService, desired: DesiredState): string[] {
  const [had, has] = [demandOf(made), demandOf(service)].map((each) => JSON.stringify(each));
  const due = desired.nodesOf(service, everything);
  return [
    ...(had === has ? [] : [`has a load balancer for ${had}, expected ${has}`]),
    ...(nodes.join(' ') === due.join(' ') ? [] : [`has the nodes ${nodes.join(' ')}, expected ${due.join(' ')}`]),
  ];
}

const demandOf = ({ metadata, spec }: BalancedService): unknown => ({
  annotations: Object.entries(metadata?.annotations ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)),
  ports: spec?.ports?.map(({ name, port, protocol, nodePort, targetPort }) => [name, port, protocol, nodePort, targetPort]),
  ranges: spec?.loadBalancerSourceRanges ?? [],
  more: [spec?.sessionAffinity, spec?.externalTrafficPolicy, spec?.healthCheckNodePort ?? 0, spec?.loadBalancerIP ?? ''],
});
