import { builtInType, type TypeRef } from '../patch/index.ts';

/** How server-side apply takes a type apart: what `x-kubernetes-list-type` and its kin say. */
export interface StructMerging {
  /** Whether it is one value as a whole. */
  readonly atomic: boolean;
  field(name: string): FieldMerging | undefined;
}

export interface FieldMerging {
  readonly listType?: 'atomic' | 'map' | 'set';
  readonly keys?: readonly string[];
  readonly atomicMap?: boolean;
}

export function mergingOf(tableName: string): StructMerging {
  const map = patchType(tableName)?.resolve().map;
  return {
    atomic: map?.atomic === true,
    field(name) {
      const field = map?.fields.get(name);
      return field && merging(field.type);
    },
  };
}

function merging(type: TypeRef): FieldMerging {
  // What has a name is described where it is defined.
  if (type.name !== undefined) return {};
  const { list, map } = type.resolve();
  if (list) return { listType: list.atomic ? 'atomic' : list.keys.length > 0 ? 'map' : 'set', keys: list.keys };
  return map?.atomic ? { atomicMap: true } : {};
}

/** The tables of patches name types as Go does, with the group in front only where two have the same name. */
function patchType(tableName: string): TypeRef | undefined {
  const at = tableName.includes(':') ? tableName.indexOf(':') : tableName.indexOf('.');
  const [group, name] = [tableName.slice(0, at), tableName.slice(at + 1)];
  return builtInType(`${patchGroups[group] ?? group}.${name}`) ?? builtInType(name);
}

const patchGroups: Readonly<Record<string, string>> = { admission: 'admissionregistration', 'apiextensions.k8s.io': 'apiextensions' };
