import type { FieldCause } from '../../resources/field/causes.ts';
import type { Schema } from '../schema/schema.ts';
import { check, createChecking } from './check.ts';
import type { CompiledCheck } from './compiled.ts';
import type { Correlation } from './correlation.ts';
import { causesOf } from './problem.ts';

/** Checks values against one schema. What it compiles is its own, and goes with it. */
export interface Validator {
  /**
   * @param at the field that the value is; empty for the whole object
   * @param past what was there before: what was wrong with it already is let through where it has not changed
   */
  validate(value: unknown, at?: string, past?: Correlation): readonly FieldCause[];
}

export interface ValidatorOptions {
  /** After how many values the schema is compiled. That takes a tenth of a second and more, which has to pay. */
  readonly compileAfter?: number;
  /** Compiles a schema at once. By default a compiler is loaded in the background, and used as soon as it is there. */
  readonly compile?: (schema: Schema) => CompiledCheck;
}

/**
 * A compiled check accepts a value in a tenth of the time. What it refuses is checked again, for the words of the real server and for the
 * corners in which that is more lenient.
 */
export function createValidator(schema: Schema, { compileAfter = 5_000, compile }: ValidatorOptions = {}): Validator {
  const checking = createChecking();
  let values = 0;
  let accepts: CompiledCheck | undefined;
  const startCompiling = (): void => {
    if (compile) accepts = compile(schema);
    else
      import('./compiled.ts')
        .then(({ compileSchema }) => {
          accepts = compileSchema(schema);
        })
        // Without a compiled check, values are only checked more slowly.
        .catch(() => undefined);
  };
  return {
    validate(value, at = '', past = undefined) {
      if (values === compileAfter) startCompiling();
      values += 1;
      if (accepts?.(value)) return [];
      return causesOf(check(checking, schema, value, '', past).problems, at);
    },
  };
}
