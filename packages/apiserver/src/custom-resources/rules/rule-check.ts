import type { FieldCause } from '../../resources/field/causes.ts';
import type { Schema } from '../schema/schema.ts';
import { evaluateRules, type RuleFindings } from './evaluate.ts';
import { compileRules, hasRules, type Rules } from './tree.ts';

/**
 * Evaluates the rules of a schema, which are compiled on first use.
 * @param otherCauses the causes from all other validation; some of them prevent evaluation
 */
type RuleCheck = (object: unknown, otherCauses: readonly FieldCause[], old?: unknown) => RuleFindings;

export function createRuleCheck(schema: Schema | undefined): RuleCheck {
  if (!schema || !hasRules(schema)) return () => noFindings;
  const compiled: { rules?: Rules | undefined } = {};
  return (object, otherCauses, old) => {
    if (otherCauses.some(blocksRules)) return { causes: [uncheckedCause], warnings: [] };
    compiled.rules ??= compileRules(schema);
    return compiled.rules ? evaluateRules(compiled.rules, object, old) : noFindings;
  };
}

const noFindings: RuleFindings = { causes: [], warnings: [] };

/** Rules are not evaluated if a value is missing, too large, of a wrong type or not in its enum. Mirrors hasBlockingErr. */
const blocksRules = ({ reason }: FieldCause): boolean => blockingReasons.has(reason);

const blockingReasons: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const uncheckedCause: FieldCause = {
  reason: 'FieldValueInvalid',
  field: '<nil>',
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};
