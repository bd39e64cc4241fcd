import type { EndpointPort, Optional, Pod, Service, ServicePort, StringMap } from '../types/index.ts';
import type { Profile } from '../versions/index.ts';
import { createAddress, createPodTargetRefBuilder, familyOf, findIP, type IPFamily, type RankedIP } from './address.ts';
import {
  createEligibilityCheck,
  type EligibilityRule,
  eligibilityRules,
  type IneligibleCode,
  isPodReady,
  publishesNotReady,
} from './eligibility.ts';
import { createEndpointPort, findPort } from './port.ts';
import { createLabelMatcher, isInNamespace } from './select.ts';
import type { TargetRefBuilder } from './settings.ts';
import { createPortSet, type Offer, type PortSet } from './subsets.ts';

/** The first rule, in the release's order, that excludes a pod from the endpoints of a Service. */
export type ExclusionCode =
  | 'PodInOtherNamespace'
  | 'PodLabelsDoNotMatch'
  | IneligibleCode
  | 'PodHasNoIPOfFamily'
  | 'ServiceHasNoPorts'
  | 'PortNotFound';

/** The result of the rules for one pod: an address with its ports, or the code of the rule that excludes the pod. */
export type Verdict = Offer | ExclusionCode;

/** A Service, parsed once, to evaluate any number of pods. All results derive from this one pass. */
export interface PodEvaluator {
  readonly service: Service;
  readonly profile: Profile;
  readonly publishNotReady: boolean;
  readonly family: IPFamily | undefined;
  readonly rules: readonly EligibilityRule[];
  readonly servicePorts: readonly ServicePort[];
  /** The distinct endpoint ports that pods have offered so far. */
  readonly ports: PortSet;
  isSelected(pod: Pod): boolean;
  /** The IP that the pod would have as an endpoint; undefined if it has none of the family. */
  ipOf(pod: Pod): string | undefined;
  evaluate(pod: Pod): Verdict;
}

/** Prepares a Service for evaluation under the rules of a release. */
export function createPodEvaluator(
  service: Service,
  profile: Profile,
  targetRef: TargetRefBuilder = createPodTargetRefBuilder(profile),
): PodEvaluator {
  const publishNotReady = publishesNotReady(service, profile);
  const family = familyOf(service, profile)?.family;
  const rules = eligibilityRules(profile, 'endpoints');
  const checkEligibility = createEligibilityCheck(rules);
  const servicePorts = service.spec?.ports ?? [];
  const ports = createPortSet(profile.headlessPortOmitted ? undefined : { port: 0, protocol: 'TCP' });
  const namespace = service.metadata?.namespace;
  const matches: (labels: Optional<StringMap>) => boolean = createLabelMatcher(service.spec?.selector);
  const resolvePortIndexes = servicePorts.length > 0 ? createPortIndexResolver(servicePorts, ports, profile) : undefined;
  const hasNoPorts = servicePorts.length === 0 && service.spec?.clusterIP !== 'None';
  const noPortIndexes = [ports.noPorts];
  const rankedIP: RankedIP = { ip: '', rank: -1 };

  const evaluate = (pod: Pod): Verdict => {
    if (!isInNamespace(pod, namespace)) return 'PodInOtherNamespace';
    if (!matches(pod.metadata?.labels)) return 'PodLabelsDoNotMatch';
    const ineligibleCode = checkEligibility(pod, publishNotReady);
    if (ineligibleCode) return ineligibleCode;
    if (!findIP(pod, family, profile, rankedIP)) return 'PodHasNoIPOfFamily';
    if (hasNoPorts) return 'ServiceHasNoPorts';
    const indexes = resolvePortIndexes ? resolvePortIndexes(pod) : noPortIndexes;
    if (indexes.length === 0) return 'PortNotFound';
    return {
      address: createAddress(pod, rankedIP.ip, service, targetRef),
      rank: rankedIP.rank,
      ready: publishNotReady || isPodReady(pod),
      ports: indexes,
    };
  };
  const isSelected = (pod: Pod): boolean => isInNamespace(pod, namespace) && matches(pod.metadata?.labels);
  return {
    service,
    profile,
    publishNotReady,
    family,
    rules,
    servicePorts,
    ports,
    isSelected,
    ipOf: (pod) => (findIP(pod, family, profile, rankedIP) ? rankedIP.ip : undefined),
    evaluate,
  };
}

/**
 * Creates a function that finds the indexes of the ports that a pod offers. A Service port that the pod does not have is skipped. Each
 * number that a Service port resolves to has its own index. If no target port is a name, all pods share one list.
 */
function createPortIndexResolver(servicePorts: readonly ServicePort[], ports: PortSet, profile: Profile): (pod: Pod) => readonly number[] {
  const knownIndexes = servicePorts.map(() => new Map<number, number>());
  const findPortIndex = (index: number, number: number): number => {
    const knownIndex = knownIndexes[index]?.get(number);
    if (knownIndex !== undefined) return knownIndex;
    const newIndex = ports.add(...createIdentifiedPort(servicePorts[index] as ServicePort, index, number, profile));
    knownIndexes[index]?.set(number, newIndex);
    return newIndex;
  };
  const areAllNumeric = servicePorts.every(({ targetPort }) => typeof targetPort !== 'string');
  const resolve = (pod: Pod): readonly number[] => {
    const indexes: number[] = [];
    for (let index = 0; index < servicePorts.length; index++) {
      const number = findPort(pod, servicePorts[index] as ServicePort, profile.sidecarPortsFound);
      if (number !== undefined) indexes.push(findPortIndex(index, number));
    }
    return indexes;
  };
  if (!areAllNumeric) return resolve;
  const sharedIndexes = resolve({});
  return () => sharedIndexes;
}

/** Returns the port and a suffix for its identity. In Go, appProtocol is a pointer, so a Service port that sets it equals no other port. */
function createIdentifiedPort(port: ServicePort, index: number, number: number, profile: Profile): [EndpointPort, string] {
  const endpointPort = createEndpointPort(port, number, profile);
  return [endpointPort, endpointPort.appProtocol === undefined ? '' : String(index)];
}
