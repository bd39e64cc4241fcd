import type { FieldCause } from '../../resources/field/causes.ts';
import type { Schema } from '../schema/schema.ts';
import { check, createChecking } from './check.ts';
import type { CompiledCheck } from './compiled.ts';
import type { Correlation } from './correlation.ts';
import { causesOf } from './problem.ts';

/** Checks values against one schema. Each validator has its own compiled schema and patterns. */
export interface Validator {
  /**
   * @param at path of the field that the value belongs to; empty for the whole object
   * @param past the correlation with the old value, which lets problems of unchanged values pass
   */
  validate(value: unknown, at?: string, past?: Correlation): readonly FieldCause[];
}

export interface ValidatorOptions {
  /** Number of values after which the schema is compiled, which takes 0.1 seconds or more. Default: 5,000. */
  readonly compileAfter?: number;
  /** Compiles a schema synchronously. Default: a compiler that is loaded in the background and used when ready. */
  readonly compile?: (schema: Schema) => CompiledCheck;
}

/**
 * A compiled check takes a tenth of the time. Values that it rejects are checked again, for the messages of the real server and because the
 * real server is more lenient in some cases.
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
        // Without a compiled check, validation is only slower.
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
