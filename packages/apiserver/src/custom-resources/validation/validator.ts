import type { FieldCause } from '../../resources/field/causes.ts';
import type { Schema } from '../schema/schema.ts';
import { check, createPatternCache } from './check.ts';
import type { CompiledCheck } from './compiled.ts';
import type { Correlation } from './correlation.ts';
import { toCauses } from './problem.ts';

/** Checks values against one schema. Each validator has its own compiled schema and patterns. */
export interface Validator {
  /**
   * @param path path of the field that contains the value; empty for the whole object
   * @param correlation the correlation with the old value; problems of unchanged values are dropped
   */
  validate(value: unknown, path?: string, correlation?: Correlation): readonly FieldCause[];
}

export interface ValidatorOptions {
  /** Number of values after which the schema is compiled, which takes 0.1 seconds or more. Default: 5,000. */
  readonly compileAfter?: number;
  /** Compiles a schema synchronously. Default: a compiler that is loaded in the background and used when ready. */
  readonly compile?: (schema: Schema) => CompiledCheck;
}

/**
 * Validates with `check` until the schema is compiled. The compiled check takes a tenth of the time. Values that it rejects are checked
 * again, for kube-apiserver's messages and because kube-apiserver accepts some values that the compiled check rejects.
 */
export function createValidator(schema: Schema, { compileAfter = 5_000, compile }: ValidatorOptions = {}): Validator {
  const patternCache = createPatternCache();
  let validatedCount = 0;
  let compiledCheck: CompiledCheck | undefined;
  const startCompiling = (): void => {
    if (compile) compiledCheck = compile(schema);
    else
      import('./compiled.ts')
        .then(({ compileSchema }) => {
          compiledCheck = compileSchema(schema);
        })
        // Without a compiled check, validation is only slower.
        .catch(() => undefined);
  };
  return {
    validate(value, path = '', correlation = undefined) {
      if (validatedCount === compileAfter) startCompiling();
      validatedCount += 1;
      if (compiledCheck?.(value)) return [];
      return toCauses(check(patternCache, schema, value, '', correlation).problems, path);
    },
  };
}
