import type { Causes } from '../../../resources/field/causes.ts';
import type { Schema, ValidationRule } from '../../schema/schema.ts';
import { findField } from './field-path.ts';
import { structuralProblem } from './structural-problem.ts';

const reasons: readonly string[] = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** x-kubernetes-validations, but for the expressions themselves, which are looked at where all else is right. */
export function validateRules(schema: Schema, field: string, causes: Causes): void {
  for (const [i, rule] of schema['x-kubernetes-validations']?.entries() ?? []) {
    const at = `${field}.x-kubernetes-validations[${i}]`;
    validateTexts(rule, at, causes);
    const { messageExpression = '', reason, fieldPath = '' } = rule;
    if (messageExpression !== '' && messageExpression.trim() === '') {
      causes.required(`${at}.messageExpression`, 'messageExpression must be non-empty if specified');
    }
    if (reason !== undefined && !reasons.includes(reason)) causes.notSupported(`${at}.reason`, reason, reasons);
    if (fieldPath === '') continue;
    if (fieldPath.trim() === '') causes.invalid(`${at}.fieldPath`, fieldPath, 'must be non-empty if specified');
    if (hasLineBreak(fieldPath)) causes.invalid(`${at}.fieldPath`, fieldPath, 'must not contain line breaks');
    const isValid = structuralProblem(schema) !== undefined || findField(fieldPath, schema, true).problem === undefined;
    if (!isValid) causes.invalid(`${at}.fieldPath`, fieldPath, 'must be a valid path');
  }
}

function validateTexts({ rule = '', message = '' }: ValidationRule, at: string, causes: Causes): void {
  if (rule.trim() === '') causes.required(`${at}.rule`, 'rule is not specified');
  else if (message !== '' && message.trim() === '') causes.invalid(`${at}.message`, message, 'must be non-empty if specified');
  else if (hasLineBreak(message.trim())) causes.invalid(`${at}.message`, message, 'must not contain line breaks');
  else if (hasLineBreak(rule.trim()) && message.trim() === '') {
    causes.required(`${at}.message`, 'message must be specified if rule contains line breaks');
  }
}

const hasLineBreak = (text: string): boolean => /[\n\r]/.test(text);
