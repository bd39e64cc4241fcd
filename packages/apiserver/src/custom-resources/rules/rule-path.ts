import { findField } from '../definition/validate/field-path.ts';
import { propertyOf, type Schema } from '../schema/schema.ts';

/** The field that a rule points at, from a value of its schema on; the value itself where the path leads nowhere. */
export function pathIn(schema: Schema, at: string, path: string): string {
  const found = findField(path, schema, true);
  if (found.problem !== undefined) return at;
  let text = at;
  let place: Schema | undefined = schema;
  for (const step of found.steps) {
    const property: Schema | undefined = place && propertyOf(place, step);
    text += property ? `${text === '' ? '' : '.'}${step}` : `[${step}]`;
    place = property ?? (place?.additionalProperties as Schema | undefined);
  }
  return text;
}
