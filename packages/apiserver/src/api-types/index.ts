import { type ApiType, readTypeTable, type StructType, type TypeTable } from './parse.ts';
import { typeTable } from './types.ts';

export { type ApiType, type Field, type Merging, readTypeTable, type StructType } from './parse.ts';

const table: TypeTable = /* @__PURE__ */ readTypeTable(typeTable);

/** Finds a type by Go package and name: "core.Service", "autoscaling/v2.MetricSpec". */
export const findType = (name: string): ApiType | undefined => table.find(name);

/** The names of all types, without the opaque ones such as "meta.Time". */
export const typeNames = (): readonly string[] => table.names();

/** A struct type. @throws RangeError if there is no struct of that name */
export function structType(name: string): StructType {
  const type = findType(name);
  if (type?.kind !== 'struct') throw new RangeError(`no struct ${name} in the tables`);
  return type;
}

/** The struct of a built-in kind; undefined if the apiVersion has no such kind. */
export function kindType(apiVersion: string, kind: string): StructType | undefined {
  const type = findType(kindTypeName(apiVersion, kind));
  return type?.kind === 'struct' && type.fields.has('apiVersion') ? type : undefined;
}

/** The name of a kind's type in the tables: "core.Service", "autoscaling/v2.HorizontalPodAutoscaler". */
export function kindTypeName(apiVersion: string, kind: string): string {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion];
  return `${group?.split('.')[0]}${version === 'v1' ? '' : `/${version}`}.${kind}`;
}
