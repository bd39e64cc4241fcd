import { isMap, type JsonMap, own, put } from '../json.ts';
import { badPrimitiveList, badSetElementOrder } from './errors.ts';

export const deletionPrefix = '$deleteFromPrimitiveList';
export const orderPrefix = '$setElementOrder';

/** What stands behind the slash of "$setElementOrder/ports". */
export function listNamedBy(key: string, prefix: string): string {
  const slash = key.indexOf('/');
  if (slash === -1 || key.slice(0, slash) !== prefix) {
    throw prefix === deletionPrefix ? badPrimitiveList() : badSetElementOrder();
  }
  return key.slice(slash + 1);
}

/** Sets what the patch says, less the parts of it that are directives. */
export function take(original: JsonMap, key: string, value: unknown): void {
  const kept = withoutDirectives(value);
  if (kept === undefined) {
    delete original[key];
  } else {
    put(original, key, kept);
  }
}

/** Takes the objects that are directives out of a value, which is written to; undefined where it is one itself. */
export function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutDirectives).filter((item) => item !== undefined);
  }
  if (!isMap(value)) {
    return value;
  }
  if (own(value, '$patch') !== undefined) {
    return undefined;
  }
  for (const key of Object.keys(value)) {
    take(value, key, own(value, key));
  }
  return value;
}

/** Takes the keys that are null out of a value, which is written to. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) {
    value.forEach(withoutNulls);
  } else if (isMap(value)) {
    for (const key of Object.keys(value)) {
      if (own(value, key) === null) {
        delete value[key];
      } else {
        withoutNulls(own(value, key));
      }
    }
  }
  return value;
}
