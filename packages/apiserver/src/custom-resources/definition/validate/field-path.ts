import { additionalOf, propertyOf, type Schema } from '../../schema/schema.ts';

/** What a path in a schema leads to. */
export type FoundField =
  | { readonly steps: readonly string[]; readonly schema: Schema | undefined; readonly problem?: undefined }
  | { readonly problem: string };

/**
 * Follows a path of fields and, where that is allowed, keys in brackets. Mirrors ValidFieldPath
 * (apiextensions-apiserver/pkg/apiserver/schema/cel, 1.36).
 */
export function findField(path: string, schema: Schema, brackets: boolean): FoundField {
  const tokens = tokensOf(path);
  const steps: string[] = [];
  let at: Schema | undefined = schema;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as string;
    if (token !== '[' && token !== '.') return { problem: `expected [ or . but got: ${token}` };
    if (token === '[' && !brackets) return { problem: 'array notation is not allowed' };
    i += 1;
    const name = token === '[' ? keyIn(tokens, i) : { name: tokens[i] ?? '' };
    if ('problem' in name) return name;
    if (token === '[') i += 1;
    const next: Schema | undefined = at && stepInto(at, name.name);
    if (!next) return { problem: 'does not refer to a valid field' };
    steps.push(name.name);
    at = next;
  }
  return { steps, schema: at };
}

const stepInto = (schema: Schema, name: string): Schema | undefined =>
  schema.properties === undefined ? additionalOf(schema) : propertyOf(schema, name);

function keyIn(tokens: readonly string[], i: number): { readonly name: string } | { readonly problem: string } {
  const key = tokens[i];
  if (key === undefined) return { problem: 'unexpected end of JSON path' };
  if (!/^'.*'$/s.test(key) || key.length < 2) return { problem: `expected single quoted string but got ${key}` };
  const closing = tokens[i + 1];
  if (closing === undefined) return { problem: 'unexpected end of JSON path' };
  if (closing !== ']') return { problem: `expected ] but got ${closing}` };
  return { name: key.slice(1, -1).replace(/\\(.)/gs, '$1') };
}

/** Dots and brackets, what is between them, and texts in quotes. */
const tokensOf = (path: string): readonly string[] => path.match(/'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]']+|'/gs) ?? [];
