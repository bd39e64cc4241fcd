import type { FieldCause } from '../../resources/field/causes.ts';
import type { Schema } from '../schema/schema.ts';
import { evaluateRules, type RuleFindings } from './evaluate.ts';
import { compileRules, hasRules, type Rules } from './tree.ts';

/**
 * Asks the rules of a schema about objects, after all else has been checked. They are compiled when they are first asked.
 * @param found what is wrong with the object already
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

/** Where the type of a value is wrong, or it is too large, no rule is asked about the object. Mirrors hasBlockingErr. */
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
