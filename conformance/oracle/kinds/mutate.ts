import type { ApiType, StructType } from '../../../packages/apiserver/src/api-types/index.ts';
import type { Random } from '../random.ts';
import { type GenerateOptions, generateValue, type Json } from './generate.ts';

/** A place in an object where a value of a type may be. */
interface Place {
  readonly parent: Json | unknown[];
  readonly key: string | number;
  readonly type: ApiType;
  readonly path: string;
}

/** Changes one or two random fields outside of the metadata: to another plausible value, or to none, or doubles an item of a list. */
export function mutate(random: Random, type: StructType, object: Json, options: GenerateOptions): Json {
  const copy = structuredClone(object);
  for (let i = random.pick([1, 1, 2]); i > 0; i--) {
    const places = [...listPlaces(type, copy, '', options)];
    changePlace(random, random.pick(places), options);
  }
  return copy;
}

function changePlace(random: Random, { parent, key, type, path }: Place, options: GenerateOptions): void {
  const container = parent as Json;
  const value = container[key];
  if (value !== undefined && !(Array.isArray(parent) && parent.length === 1) && random.chance(0.2)) {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete container[key];
  } else if (Array.isArray(parent) && random.chance(0.2)) parent.push(structuredClone(value));
  else {
    const changed = generateValue(random, type, path, options, 3);
    if (changed !== undefined) container[key] = changed;
  }
}

/** The fields of an object, set or not, except the metadata of the object itself and its status. */
function* listPlaces(type: ApiType, value: unknown, path: string, options: GenerateOptions): Generator<Place> {
  if (type.kind === 'pointer') yield* listPlaces(type.to, value, path, options);
  else if (type.kind === 'list' && Array.isArray(value)) {
    for (const [i, each] of value.entries()) {
      yield { parent: value, key: i, type: type.of, path };
      yield* listPlaces(type.of, each, path, options);
    }
  } else if (type.kind === 'map' && isJson(value)) {
    for (const [key, each] of Object.entries(value)) {
      yield { parent: value, key, type: type.of, path };
      yield* listPlaces(type.of, each, path, options);
    }
  } else if (type.kind === 'struct' && isJson(value)) {
    for (const [name, field] of type.fields) {
      if (name === 'metadata' || options.excluded?.includes(name) || (path === '' && ['kind', 'apiVersion', 'status'].includes(name)))
        continue;
      yield { parent: value, key: name, type: field.type, path: `${type.name}.${name}` };
      yield* listPlaces(field.type, value[name], `${type.name}.${name}`, options);
    }
  }
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
