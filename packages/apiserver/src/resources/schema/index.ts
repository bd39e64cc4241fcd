import { coreTypes } from './core-types.ts';
import { groupTypes } from './group-types.ts';
import { type ApiType, parseTypes, type StructType } from './parse.ts';

export type { ApiType, Field, StructType } from './parse.ts';

/** The API types by Go package and name: "core.Service", "meta.ObjectMeta". */
export const apiTypes: ReadonlyMap<string, ApiType> = /* @__PURE__ */ parseTypes(coreTypes, groupTypes);

/** A struct type. @throws RangeError if there is no struct of that name */
export function structType(name: string): StructType {
  const type = apiTypes.get(name);
  if (type?.kind !== 'struct') throw new RangeError(`no struct ${name} in the tables`);
  return type;
}
