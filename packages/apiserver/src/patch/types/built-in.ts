import { encode } from '../../api-types/codec/printer.ts';
import { type Field as ApiField, type ApiType, findType, kindType, type Merging, type StructType } from '../../api-types/index.ts';
import type { JsonMap } from '../json.ts';
import { deducedType, type Field, inlineType, type Scalar, type TypeRef } from './type.ts';

export interface KindTypes {
  readonly type: TypeRef;
  /** The zero object as Go encodes it, including empty fields without omitempty. New objects start from it. Computed on access. */
  readonly empty: Readonly<JsonMap>;
}

/** Finds a built-in kind. Returns undefined if the apiVersion has no such kind. */
export function builtInKind(apiVersion: string, kind: string): KindTypes | undefined {
  const type = kindType(apiVersion, kind);
  return (
    type && {
      type: typeOfStruct(type),
      get empty() {
        return { apiVersion, kind, ...(encode(type, {}) as JsonMap) };
      },
    }
  );
}

/** Finds a built-in struct by the name in the type tables: "core.PodSpec", "meta.ObjectMeta". */
export function builtInType(name: string): TypeRef | undefined {
  const type = findType(name);
  return type?.kind === 'struct' ? typeOfStruct(type) : undefined;
}

const structTypes = new WeakMap<StructType, TypeRef>();

/** Converts lazily, because types are recursive. A struct always has the same reference and atom. */
function typeOfStruct(struct: StructType): TypeRef {
  const known = structTypes.get(struct);
  if (known) return known;
  let atom: ReturnType<TypeRef['resolve']> | undefined;
  const type: TypeRef = {
    name: struct.name,
    resolve() {
      atom ??= { map: { fields: new Map([...struct.fields].map(([name, field]) => [name, createField(field)])), atomic: struct.atomic } };
      return atom;
    },
  };
  structTypes.set(struct, type);
  return type;
}

function createField({ name, type, merging, patchStrategy, patchMergeKey, ...field }: ApiField): Field {
  const listKeyDefault = defaultOf(type, field);
  return {
    type: convert(type, merging),
    element: `f:${name}`,
    ...(listKeyDefault !== undefined && { default: listKeyDefault }),
    ...(patchStrategy !== undefined && { strategies: patchStrategy.split(',') }),
    ...(patchMergeKey !== undefined && { mergeKey: patchMergeKey }),
    ...(type.kind === 'pointer' && type.to.kind === 'struct' && { pointer: true }),
  };
}

/** The default of a scalar: an explicit one, or Go's zero value if the field is always encoded. */
const defaultOf = ({ kind }: ApiType, { omitEmpty, default: explicit }: Pick<ApiField, 'omitEmpty' | 'default'>): unknown =>
  explicit ?? (omitEmpty ? undefined : zeros[kind]);

const zeros: Readonly<Partial<Record<ApiType['kind'], unknown>>> = { text: '', bool: false, integer: 0, float: 0 };

function convert(type: ApiType, merging?: Merging): TypeRef {
  switch (type.kind) {
    case 'pointer':
      return convert(type.to, merging);
    case 'struct':
      return merging?.kind === 'atomic' ? { name: type.name, resolve: () => atomicMap(typeOfStruct(type)) } : typeOfStruct(type);
    case 'list':
      return inlineType({
        list: {
          element: convert(type.of),
          atomic: merging === undefined || merging.kind === 'atomic',
          keys: merging?.kind === 'map' ? merging.keys : [],
        },
      });
    case 'map':
      return inlineType({ map: { fields: new Map(), element: convert(type.of), atomic: merging?.kind === 'atomic' } });
    case 'raw':
      return objectTypes.has(type.go) ? openMap : deducedType;
    case 'intOrString':
      return deducedType;
    default:
      return scalarTypes[scalars[type.kind]];
  }
}

const atomicMap = (type: TypeRef): ReturnType<TypeRef['resolve']> => {
  const { map } = type.resolve();
  return map ? { map: { ...map, atomic: true } } : {};
};

/** Raw values that OpenAPI documents describe as objects. */
const objectTypes: ReadonlySet<string> = new Set(['v1.FieldsV1', 'runtime.RawExtension']);

const openMap = inlineType({ map: { fields: new Map(), element: deducedType, atomic: false } });

type ScalarKind = Exclude<ApiType['kind'], 'pointer' | 'struct' | 'list' | 'map' | 'raw' | 'intOrString'>;

const scalars: Readonly<Record<ScalarKind, Scalar>> = {
  text: 'string',
  bytes: 'string',
  bool: 'boolean',
  integer: 'numeric',
  float: 'numeric',
  time: 'untyped',
  microTime: 'untyped',
  quantity: 'untyped',
};

const scalarTypes: Readonly<Record<Scalar, TypeRef>> = {
  string: inlineType({ scalar: 'string' }),
  boolean: inlineType({ scalar: 'boolean' }),
  numeric: inlineType({ scalar: 'numeric' }),
  /** Named, because such a type may replace another value as a whole. */
  untyped: { name: 'scalar', resolve: () => ({ scalar: 'untyped' }) },
};
