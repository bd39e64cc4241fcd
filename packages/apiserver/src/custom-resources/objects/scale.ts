import type { ApiObject } from 'kube-endpoints/port';
import type { ObjectView } from '../../registry/catalog.ts';
import { internalError } from '../../registry/errors.ts';
import { badRequest, unclassified } from '../../store/index.ts';
import { type Found, numberAt, type ScalePaths, textAt, withNumberAt } from './replicas.ts';

/**
 * An object as a Scale of autoscaling/v1. Mirrors scaleFromCustomResource and scaleUpdatedObjectInfo
 * (apiextensions-apiserver/pkg/registry/customresource/etcd.go, 1.36).
 */
export function scaleView(paths: ScalePaths): ObjectView {
  return {
    show(object) {
      const replicas = required(numberAt(object, paths.specReplicasPath));
      if (replicas === undefined) throw internalError(`the spec replicas field "${paths.specReplicasPath}" does not exist`);
      return scaleOf(object, replicas, paths);
    },
    base: (object) => scaleOf(object, required(numberAt(object, paths.specReplicasPath)) ?? unset, paths),
    apply(object, shown) {
      const { replicas = 0 } = (shown['spec'] ?? {}) as { readonly replicas?: unknown };
      if (typeof replicas !== 'number' || !Number.isInteger(replicas) || replicas < unset || replicas >= 2 ** 31) {
        const what = typeof replicas === 'number' ? `number ${replicas}` : typeof replicas === 'boolean' ? 'bool' : typeof replicas;
        throw badRequest(`json: cannot unmarshal ${what} into Go struct field ScaleSpec.spec.replicas of type int32`);
      }
      if (replicas === unset) throw badRequest(`the spec replicas field "${paths.specReplicasPath}" cannot be empty`);
      const scaled = withNumberAt(object, paths.specReplicasPath, replicas);
      if (!scaled) throw unclassified(`value cannot be set because ${paths.specReplicasPath} is not a map[string]interface{}`);
      return scaled as unknown as ApiObject;
    },
  };
}

/** What a write begins with where there is no number yet, and may not leave there. */
const unset = -(2 ** 31);

function scaleOf(object: ApiObject, replicas: number, { statusReplicasPath, labelSelectorPath }: ScalePaths): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = labelSelectorPath ? required(textAt(object, labelSelectorPath)) : undefined;
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(creationTimestamp !== undefined && { creationTimestamp }),
    },
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: required(numberAt(object, statusReplicasPath)) ?? 0, ...(selector && { selector }) },
  };
}

function required<T>(found: Found<T>): T | undefined {
  if (found.problem !== undefined) throw unclassified(found.problem);
  return found.value;
}
