import type { FieldCause } from '../../resources/field/causes.ts';
import type { Schema } from '../schema/schema.ts';
import { evaluateRules, type RuleFindings } from './evaluate.ts';
import { compileRules, hasRules, type Rules } from './tree.ts';

/**
 * Evaluates the rules of a schema after all other validation. They are compiled on first use.
 * @param found the problems of the object found so far
 */
type RuleCheck = (object: unknown, found: readonly FieldCause[], old?: unknown) => RuleFindings;

export function createRuleCheck(schema: Schema | undefined): RuleCheck {
  if (!schema || !hasRules(schema)) return () => none;
  const compiled: { rules?: Rules | undefined } = {};
  return (object, found, old) => {
    if (found.some(blocksRules)) return { causes: [unchecked], warnings: [] };
    compiled.rules ??= compileRules(schema);
    return compiled.rules ? evaluateRules(compiled.rules, object, old) : none;
  };
}

const none: RuleFindings = { causes: [], warnings: [] };

/** Rules are not evaluated if a value is missing, too large, of a wrong type or not in its enum. Mirrors hasBlockingErr. */
const blocksRules = ({ reason }: FieldCause): boolean => blocking.has(reason);

const blocking: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const unchecked: FieldCause = {
  reason: 'FieldValueInvalid',
  field: '<nil>',
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};
