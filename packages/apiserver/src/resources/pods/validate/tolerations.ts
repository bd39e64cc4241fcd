import { labelValue, qualifiedName } from '../../../formats/names.ts';
import { asJson, type Causes, validateFormat } from '../../field/causes.ts';
import { type Fields, has, text } from '../../field/read.ts';
import { validateEffect } from '../../nodes/validate.ts';

/** Mirrors ValidateTolerations (pkg/apis/core/validation, 1.36). */
export function validateTolerations(tolerations: readonly Fields[], field: string, causes: Causes): void {
  for (const [i, toleration] of tolerations.entries()) validateToleration(toleration, `${field}[${i}]`, causes);
}

function validateToleration(toleration: Fields, field: string, causes: Causes): void {
  const [key, operator, effect] = [text(toleration, 'key'), text(toleration, 'operator'), text(toleration, 'effect')];
  if (key !== '') validateFormat(key, qualifiedName, `${field}.key`, causes);
  else if (operator !== 'Exists') {
    const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    causes.invalid(`${field}.operator`, asJson(operator), detail);
  }
  if (has(toleration, 'tolerationSeconds') && effect !== 'NoExecute') {
    causes.invalid(`${field}.effect`, asJson(effect), "effect must be 'NoExecute' when `tolerationSeconds` is set");
  }
  validateOperator(operator, text(toleration, 'value'), `${field}.operator`, causes);
  if (effect !== '') validateEffect(effect, `${field}.effect`, causes);
}

function validateOperator(operator: string, value: string, field: string, causes: Causes): void {
  if (operator === '' || operator === 'Equal') {
    const messages = labelValue(value);
    if (messages.length > 0) causes.invalid(field, value, messages.join(';'));
  } else if (operator === 'Exists') {
    if (value !== '') causes.invalid(field, value, "value must be empty when `operator` is 'Exists'");
  } else {
    // Upstream rejects Lt and Gt, whose feature gate is off, with a list that contains them.
    const isComparison = operator === 'Lt' || operator === 'Gt';
    causes.notSupported(field, asJson(operator), isComparison ? ['Equal', 'Exists', 'Lt', 'Gt'] : ['Equal', 'Exists']);
  }
}
