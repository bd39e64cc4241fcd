import { apiVersionOf, parseApiVersion } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import {
  builtInKind,
  createFieldElement,
  createFieldManager,
  createFieldSet,
  createFieldsCache,
  deducedType,
  type FieldManager,
  type FieldSet,
  type TypeRef,
} from '../patch/index.ts';
import { convertBetween } from './conversions.ts';
import { decodeBody } from './decode.ts';
import { idOf, type ResourceStrategy, type Strategies } from './strategy.ts';

/** Creates and caches the field manager of each resource and subresource. */
export interface FieldManagers {
  managerFor(strategy: ResourceStrategy, subresource: string | undefined): FieldManager;
}

export function createFieldManagers(strategies: Strategies): FieldManagers {
  const cache = createFieldsCache();
  const managersByStrategy = new WeakMap<ResourceStrategy, Map<string, FieldManager>>();
  const types = new WeakMap<ResourceStrategy, TypeRef>();
  const resolveType = (strategy: ResourceStrategy | undefined): TypeRef | undefined => {
    if (!strategy) return undefined;
    const type = types.get(strategy) ?? patchTypeOf(strategy);
    types.set(strategy, type);
    return type;
  };
  const createManager = (strategy: ResourceStrategy, subresource: string | undefined): FieldManager => {
    const { resource, patchType } = strategy;
    const apiVersion = apiVersionOf(resource);
    const builtInTypes = builtInKind(apiVersion, resource.kind);
    const resetFields = resetFieldsOf(strategy, subresource);
    return createFieldManager({
      apiVersion,
      kind: resource.kind,
      cache,
      trusted: builtInTypes !== undefined && patchType === undefined && strategy.transfersOwnership === true,
      ...(subresource !== undefined && { subresource }),
      ...(resetFields && { resetFields }),
      typeIn: (version) => resolveType(strategyInVersion(strategies, strategy, version)),
      convert: (object, version) => {
        const source = strategyInVersion(strategies, strategy, String(object['apiVersion'])) ?? strategy;
        const target = strategyInVersion(strategies, strategy, version);
        return { ...convertBetween(source, target, object as unknown as ApiObject), apiVersion: version };
      },
      empty: strategy.empty ?? builtInTypes?.empty ?? { apiVersion, kind: resource.kind, metadata: {} },
      finish: (object) => strategy.encode(decodeBody(strategy, object)) as Record<string, unknown>,
    });
  };
  return {
    managerFor(strategy, subresource) {
      const bySubresource = managersByStrategy.get(strategy) ?? new Map<string, FieldManager>();
      managersByStrategy.set(strategy, bySubresource);
      const manager = bySubresource.get(subresource ?? '') ?? createManager(strategy, subresource);
      bySubresource.set(subresource ?? '', manager);
      return manager;
    },
  };
}

/** Fields that a write through this resource or subresource cannot change, by API version. */
function resetFieldsOf({ resource, resetFields }: ResourceStrategy, subresource: string = ''): ReadonlyMap<string, FieldSet> | undefined {
  const paths = resetFields && Object.hasOwn(resetFields, subresource) ? resetFields[subresource] : undefined;
  return paths && new Map([[apiVersionOf(resource), createFieldSet(...paths.map((path) => path.split('.').map(createFieldElement)))]]);
}

const patchTypeOf = ({ resource, patchType }: ResourceStrategy): TypeRef =>
  patchType ?? builtInKind(apiVersionOf(resource), resource.kind)?.type ?? deducedType;

/** The strategy of the same resource in another version. Undefined if the group differs, because managed fields of another group are dropped. */
function strategyInVersion(strategies: Strategies, strategy: ResourceStrategy, apiVersion: string): ResourceStrategy | undefined {
  const { resource } = strategy;
  if (apiVersion === apiVersionOf(resource)) return strategy;
  const { group, version } = parseApiVersion(apiVersion);
  return group === resource.group ? strategies.get(idOf({ ...resource, version })) : undefined;
}
