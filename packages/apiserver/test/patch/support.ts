import { builtInKind, createFieldManager, type FieldManager, type FieldManagerOptions } from '../../src/patch/index.ts';
import { deducedType, type TypeRef } from '../../src/patch/types/type.ts';
import { parseTypes } from './type-text.ts';

/** A type with a field of each type that the notation supports. */
export const toy: TypeRef =
  parseTypes(`
Toy
  any:deduced apiVersion:s count:n flag:b items:[name,kind]Item|merge|name kind:s labels:{}s metadata:ObjectMeta nest:*Nest|retainKeys
  raw:any tags:[set]s|merge when:u whole:[]Item
Item
  kind:s="plain" name:s=0 inner:[key]Inner|merge|key size:n
Inner
  key:s value:s
Nest
  deep:*Nest left:s pick:!Pick right:s
Pick
  name:s
ObjectMeta
  labels:{}s name:s namespace:s uid:s
`).get('Toy') ?? deducedType;

export const now = '2026-05-01T00:00:00Z';

/** A field manager for a built-in kind. */
export function managerFor(apiVersion: string, kind: string, options: Partial<FieldManagerOptions> = {}): FieldManager {
  const kindTypes = builtInKind(apiVersion, kind);
  if (kindTypes === undefined) throw new Error(`there is no ${kind}`);
  const typeIn = (version: string) => (version === apiVersion ? kindTypes.type : undefined);
  return createFieldManager({ apiVersion, kind, typeIn, empty: kindTypes.empty, ...options });
}
