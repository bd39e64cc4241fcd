import { createRequire } from 'node:module';
import { compilePattern } from '@kube-endpoints/cel';
import type { Ajv } from 'ajv';
import { formats } from '../../formats/strfmt.ts';
import type { FieldCause } from '../../resources/field/causes.ts';
import type { Schema } from '../schema/schema.ts';
import { check, createChecking } from './check.ts';
import type { Correlation } from './correlation.ts';
import { causesOf } from './problem.ts';
import { toJsonSchema } from './translate.ts';

/** Checks values against one schema. What it compiles is its own, and goes with it. */
export interface Validator {
  /**
   * @param at the field that the value is; empty for the whole object
   * @param past what was there before: what was wrong with it already is let through where it has not changed
   */
  validate(value: unknown, at?: string, past?: Correlation): readonly FieldCause[];
}

export interface ValidatorOptions {
  /** After how many values the check is compiled. That takes a tenth of a second and more, which has to pay. */
  readonly compileAfter?: number;
}

/**
 * A check that is compiled says in a tenth of the time that a value is right; what a compiled check refuses is looked at again, for the
 * words of the real server and for the corners in which that is more lenient.
 */
export function createValidator(schema: Schema, { compileAfter = 5_000 }: ValidatorOptions = {}): Validator {
  const checking = createChecking();
  let values = 0;
  let accepts: ((value: unknown) => boolean) | undefined;
  return {
    validate(value, at = '', past = undefined) {
      if (values >= compileAfter) accepts ??= compile(schema);
      else values += 1;
      if (accepts?.(value)) return [];
      return causesOf(check(checking, schema, value, '', past).problems, at);
    },
  };
}

function compile(schema: Schema): (value: unknown) => boolean {
  const translated = toJsonSchema(schema);
  if (!translated) return () => false;
  return loadAjv(options).compile(translated) as (value: unknown) => boolean;
}

/** Loading the compiler takes time, too: it is not imported where nobody needs it. */
function loadAjv(given: ConstructorParameters<typeof Ajv>[0]): Ajv {
  const { Ajv: Compiler } = createRequire(import.meta.url)('ajv') as typeof import('ajv');
  return new Compiler(given);
}

const options: ConstructorParameters<typeof Ajv>[0] = {
  strict: false,
  meta: false,
  validateSchema: false,
  addUsedSchema: false,
  logger: false,
  ownProperties: true,
  formats: Object.fromEntries([...formats].map(([name, validate]) => [name, { type: 'string' as const, validate }])),
  code: { regExp: Object.assign(safePattern, { code: 'safePattern' }) },
};

/** Patterns are Go's, and take linear time. What is none matches nothing here, so that it is looked at again. */
function safePattern(source: string): { test(text: string): boolean; toString(): string } {
  const compiled = compilePattern(source);
  return { test: (text) => !('problem' in compiled) && compiled.matches(text), toString: () => source };
}
