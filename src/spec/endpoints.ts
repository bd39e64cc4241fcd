import type { EndpointSubset, Endpoints, Pod, Service } from '../types/index.ts';
import type { Profile } from '../versions/index.ts';
import { fitCapacity } from './capacity.ts';
import { annotationsFor, labelsFor } from './metadata.ts';
import { unmanagedCodeOf } from './select.ts';
import { type Settings, settingsFor, type VersionOptions } from './settings.ts';
import { chooseLesser, type Offer, pack } from './subsets.ts';
import { formatInstant, parseInstant } from './time.ts';
import { createPodEvaluator } from './verdict.ts';

/**
 * Computes the Endpoints that the release's controller creates for a Service that has no Endpoints yet.
 * @param pods may be every pod of the cluster, in any order, because namespace and selector are applied here
 * @returns undefined if the controller writes nothing, because the Service has no selector or, in releases that skip it, is an ExternalName
 * @throws RangeError for an unknown version
 * @throws TypeError for an invalid creation timestamp
 *
 * Mirrors the create path of syncService (1.36, pkg/controller/endpoint/endpoints_controller.go).
 */
export const computeEndpoints = (service: Service, pods: readonly Pod[], options: VersionOptions = {}): Endpoints | undefined =>
  computeEndpointsFor(service, pods, settingsFor(options));

/** `computeEndpoints` with resolved settings. */
export function computeEndpointsFor(service: Service, pods: readonly Pod[], settings: Settings): Endpoints | undefined {
  const { profile, timeZone } = settings;
  if (unmanagedCodeOf(service, profile)) return undefined;
  const { namespace, name, creationTimestamp } = service.metadata ?? {};
  const creationTime = parseInstant(creationTimestamp, `Service ${namespace ?? ''}/${name ?? ''} metadata.creationTimestamp`);
  return newEndpoints(service, computeSubsets(service, pods, settings), creationTime && formatInstant(creationTime, timeZone), profile);
}

/** Computes the canonical subsets of a Service's pods, not yet truncated to capacity. */
export function computeSubsets(service: Service, pods: readonly Pod[], { profile, targetRef }: Settings): EndpointSubset[] {
  const evaluator = createPodEvaluator(service, profile, targetRef);
  const offers: Offer[] = [];
  for (const pod of pods) {
    const verdict = evaluator.evaluate(pod);
    if (typeof verdict !== 'string') offers.push(verdict);
  }
  return pack(offers, evaluator.ports.list, profile, chooseLesser);
}

/** Builds the Endpoints to create from subsets, truncated to capacity. */
export function newEndpoints(service: Service, subsets: EndpointSubset[], triggerTime: string | undefined, profile: Profile): Endpoints {
  const fitted = fitCapacity(subsets, profile);
  const labels = labelsFor(service, profile);
  const annotations = annotationsFor(undefined, triggerTime, fitted.overCapacity, profile);
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {
      name: service.metadata?.name ?? '',
      namespace: service.metadata?.namespace ?? '',
      ...(Object.keys(labels).length && { labels }),
      ...(Object.keys(annotations).length && { annotations }),
    },
    ...((fitted.subsets.length || !profile.emptySubsetsOmitted) && { subsets: fitted.subsets }),
  };
}
