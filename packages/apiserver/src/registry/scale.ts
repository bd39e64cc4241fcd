import type { ApiObject } from 'kube-endpoints/port';
import { collectCauses } from '../resources/field/causes.ts';
import { formatLabelSelector } from '../resources/field/label-selector.ts';
import { child, type Fields, has, number } from '../resources/field/read.ts';
import { invalidObject } from '../resources/status.ts';
import { badRequest } from '../store/index.ts';
import type { ObjectView, ServedSubresource } from './subresource.ts';

/** Metadata of a Scale: that of its object without labels, annotations and owners. */
export function scaleMetadata({ metadata }: ApiObject): ApiObject['metadata'] {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata;
  return {
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(creationTimestamp !== undefined && { creationTimestamp }),
  };
}

/**
 * Represents a workload as a Scale of autoscaling/v1. Mirrors ScaleREST of pkg/registry/apps/deployment/storage and those of the other
 * workloads (1.36).
 */
const workloadScale: ObjectView = {
  show(object) {
    const [spec, status] = [child(object, 'spec'), child(object, 'status')];
    const [replicas, selector] = [number(spec, 'replicas'), formatSelector(child(spec, 'selector'))];
    return {
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: scaleMetadata(object),
      spec: replicas === 0 ? {} : { replicas },
      status: { replicas: number(status, 'replicas'), ...(selector !== '' && { selector }) },
    };
  },
  apply(object, scale) {
    const { replicas = 0 } = child(scale, 'spec');
    if (typeof replicas !== 'number' || !Number.isInteger(replicas) || replicas >= 2 ** 31) {
      throw badRequest(`json: cannot unmarshal ${typeof replicas} into Go struct field ScaleSpec.spec.replicas of type int32`);
    }
    requireReplicas(scale, replicas);
    return { ...object, spec: { ...child(object, 'spec'), replicas } };
  },
};

/** Mirrors ValidateScale (pkg/apis/autoscaling/validation, 1.36). @throws ApiError Invalid */
function requireReplicas({ metadata }: ApiObject, replicas: number): void {
  if (replicas >= 0) return;
  const causes = collectCauses();
  causes.invalid('spec.replicas', replicas, 'must be greater than or equal to 0');
  throw invalidObject({ group: 'autoscaling', kind: 'Scale' }, metadata.name ?? '', causes.list);
}

/** The selector of a ReplicationController is a map of labels. */
const formatSelector = (selector: Fields): string =>
  has(selector, 'matchLabels') || has(selector, 'matchExpressions')
    ? formatLabelSelector(selector)
    : formatLabelSelector({ matchLabels: selector });

const scaleSubresource: ServedSubresource = {
  name: 'scale',
  verbs: ['get', 'patch', 'update'],
  type: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
  view: workloadScale,
};

/** The scale subresources of built-in resources. */
export const scaleSubresources: Readonly<Record<string, readonly ServedSubresource[]>> = Object.fromEntries(
  ['deployments.apps', 'replicasets.apps', 'statefulsets.apps', 'replicationcontrollers.'].map((key) => [key, [scaleSubresource]]),
);
