import { type Causes, collectCauses } from '../../src/resources/field/causes.ts';
import type { Draft, Fields } from '../../src/resources/field/read.ts';
import { type Description, descriptions, type ResourceKey, readObject } from '../../src/resources/index.ts';
import { bases } from './golden/manifests.ts';

/** What a check finds, a line each: "FieldValueRequired spec.ports: Required value". */
export function found(check: (causes: Causes) => void): string[] {
  const causes = collectCauses();
  check(causes);
  return causes.list.map(({ reason, field, message }) => `${reason} ${field}: ${message}`);
}

/** Only where it is found. */
export const fieldsOf = (lines: readonly string[]): string[] => lines.map((line) => (line.split(' ')[1] as string).replace(/:$/, ''));

/** One of the valid objects that were sent to the real server, read and with its defaults. */
export function example(name: string): { readonly description: Description; readonly object: Draft } {
  const base = bases.find((each) => each.name === name);
  if (!base) throw new Error(`no object ${name}`);
  const description = descriptions[base.resource as ResourceKey];
  return { description, object: readObject(description, base.object).value };
}

/** What a field selector finds in an object. */
export const selected = ({ selectableFields }: Description, object: Fields): Record<string, string> =>
  Object.fromEntries(Object.entries(selectableFields).map(([name, read]) => [name, read(object)]));

/** An object's spec. */
export const specOf = (object: Fields): Draft => object['spec'] as Draft;
