import { hasCleanupFinalizer } from 'kube-endpoints/internal';
import type { BalancedService } from 'kube-endpoints/load-balancer';
import { type ApiObject, resources } from 'kube-endpoints/port';
import type { StoredBalancer } from '../../../../packages/controllers/src/clouds/memory/balancers.ts';
import type { History } from '../../harness/history.ts';
import { currentVersion } from '../../harness/test-client.ts';
import { serviceNamespaces } from '../client/services.ts';
import { isHandledElsewhere } from '../cloud/faults.ts';
import type { DesiredState } from './desired-state.ts';

/** Returns the problems of the final state: each needed load balancer must exist once and as specified, and no other may exist. */
export function checkFinal(history: History, desired: DesiredState, loadBalancers: readonly StoredBalancer[]): string[] {
  const services = serviceNamespaces.flatMap((namespace) => history.all(resources.services, namespace, currentVersion)) as (ApiObject &
    BalancedService)[];
  const neededUids = new Set(services.filter((service) => needsBalancer(service, desired)).map(({ metadata }) => metadata.uid));
  return [
    ...services.flatMap((service) => checkService(service, desired, loadBalancers)),
    ...loadBalancers
      .filter(({ reference }) => !neededUids.has(reference.uid))
      .map((each) => `${nameOf(each)} has a load balancer that no Service needs`),
  ];
}

const nameOf = ({ reference: { namespace, name, uid } }: StoredBalancer): string => `${namespace}/${name} (${uid})`;

const needsBalancer = (service: ApiObject & BalancedService, desired: DesiredState): boolean =>
  desired.needsLoadBalancer(service) && !isHandledElsewhere(service.metadata.name ?? '');

function checkService(service: ApiObject & BalancedService, desired: DesiredState, loadBalancers: readonly StoredBalancer[]): string[] {
  const { namespace, name, uid } = service.metadata;
  const matchingBalancers = loadBalancers.filter(({ reference }) => reference.uid === uid);
  const isNeeded = needsBalancer(service, desired);
  const problems: string[] = [];
  if (matchingBalancers.length !== (isNeeded ? 1 : 0))
    problems.push(`has ${matchingBalancers.length} load balancers, expected ${isNeeded ? '1' : '0'}`);
  // A Service of another class has the finalizer and status of the other controller.
  const isForeign = !isNeeded && typeof service.spec?.loadBalancerClass === 'string' && !service.metadata.deletionTimestamp;
  if (!isForeign && hasCleanupFinalizer(service) !== desired.needsLoadBalancer(service)) {
    problems.push(hasCleanupFinalizer(service) ? 'has the finalizer but needs no load balancer' : 'does not have the finalizer');
  }
  const status = JSON.stringify(addressesOf(service.status?.loadBalancer));
  const expected = JSON.stringify(isNeeded ? addressesOf(matchingBalancers[0]?.status) : []);
  if (!isForeign && status !== expected) problems.push(`has the status ${status}, expected ${expected}`);
  if (isNeeded && matchingBalancers[0]) problems.push(...checkBalancer(matchingBalancers[0], service, desired));
  return problems.map((problem) => `${namespace}/${name} ${problem}`);
}

const addressesOf = (status: NonNullable<BalancedService['status']>['loadBalancer']): readonly unknown[] =>
  (status?.ingress ?? []).map(({ ip }) => ip);

function checkBalancer({ service: provisionedService, nodes }: StoredBalancer, service: BalancedService, desired: DesiredState): string[] {
  const [actualFields, expectedFields] = [balancerFieldsOf(provisionedService), balancerFieldsOf(service)].map((each) =>
    JSON.stringify(each),
  );
  const expected = desired.nodesOf(service, currentVersion);
  return [
    ...(actualFields === expectedFields ? [] : [`has a load balancer for ${actualFields}, expected ${expectedFields}`]),
    ...(nodes.join(' ') === expected.join(' ') ? [] : [`has the nodes ${nodes.join(' ')}, expected ${expected.join(' ')}`]),
  ];
}

const balancerFieldsOf = ({ metadata, spec }: BalancedService): unknown => ({
  annotations: Object.entries(metadata?.annotations ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)),
  ports: spec?.ports?.map(({ name, port, protocol, nodePort, targetPort }) => [name, port, protocol, nodePort, targetPort]),
  ranges: spec?.loadBalancerSourceRanges ?? [],
  more: [spec?.sessionAffinity, spec?.externalTrafficPolicy, spec?.healthCheckNodePort ?? 0, spec?.loadBalancerIP ?? ''],
});
