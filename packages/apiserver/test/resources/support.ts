import { type Causes, collectCauses } from '../../src/resources/field/causes.ts';
import type { Draft, Fields } from '../../src/resources/field/read.ts';
import { type Description, descriptions, type ResourceKey, readObject } from '../../src/resources/index.ts';
import { bases } from './golden/manifests.ts';

/** The causes of a check as lines, for example "FieldValueRequired spec.ports: Required value". */
export function reportedCauses(check: (causes: Causes) => void): string[] {
  const causes = collectCauses();
  check(causes);
  return causes.list.map(({ reason, field, message }) => `${reason} ${field}: ${message}`);
}

/** The field of each line that reportedCauses returns. */
export const fieldsOf = (lines: readonly string[]): string[] => lines.map((line) => (line.split(' ')[1] as string).replace(/:$/, ''));

/** A valid object of the golden vectors, decoded with defaults. */
export function example(name: string): { readonly description: Description; readonly object: Draft } {
  const base = bases.find((each) => each.name === name);
  if (!base) throw new Error(`no object ${name}`);
  const description = descriptions[base.resource as ResourceKey];
  return { description, object: readObject(description, base.object).value };
}

/** The values of all selectable fields of an object. */
export const selectableValues = ({ selectableFields }: Description, object: Fields): Record<string, string> =>
  Object.fromEntries(Object.entries(selectableFields).map(([name, read]) => [name, read(object)]));

/** An object's spec. */
export const specOf = (object: Fields): Draft => object['spec'] as Draft;
