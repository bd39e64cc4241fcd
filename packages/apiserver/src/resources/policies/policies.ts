import { bytesOf, qualifiedName } from '../../formats/names.ts';
import { asJson, type Causes, validateChoice, validateFormat } from '../field/causes.ts';
import { child, type Fields, has, list, text, texts } from '../field/read.ts';
import type { KindExtension } from '../kinds/description.ts';
import { type PolicyExpressions, validateSharedExpressions } from './expressions.ts';
import { validateBinding, validateConstraints, validateMutatedOperations, validateParamKind } from './match.ts';

const group = 'admissionregistration.k8s.io';

/** Validates admission policies and their bindings. Mirrors pkg/apis/admissionregistration/validation (1.36). */
export const policyExtensions: Readonly<Record<string, KindExtension>> = {
  [`validatingadmissionpolicies.${group}`]: {
    validate: validateValidatingPolicy,
    validateStatus: (object, _old, causes) => validateTypeChecking(child(child(object, 'status'), 'typeChecking'), causes),
    warnings: warnAboutName,
  },
  [`validatingadmissionpolicybindings.${group}`]: {
    validate(object, causes) {
      const spec = child(object, 'spec');
      validateBinding(spec, causes);
      validateActions(texts(spec, 'validationActions'), causes);
    },
    warnings: warnAboutName,
  },
  [`mutatingadmissionpolicies.${group}`]: { validate: validateMutatingPolicy, warnings: warnAboutName },
  [`mutatingadmissionpolicybindings.${group}`]: {
    validate(object, causes) {
      const spec = child(object, 'spec');
      validateBinding(spec, causes);
      validateMutatedOperations(child(spec, 'matchResources'), 'spec.matchResources', causes);
    },
    warnings: warnAboutName,
  },
};

/** Mirrors WarningsForStaticSuffix. */
function warnAboutName(object: Fields): readonly string[] {
  if (!text(child(object, 'metadata'), 'name').endsWith('.static.k8s.io')) return [];
  const reserved = 'are reserved for static manifest-based configurations and cannot be managed via the API';
  return [`metadata.name: names ending with ".static.k8s.io" ${reserved}`];
}

const validateFailurePolicy = (spec: Fields, causes: Causes): void =>
  validateChoice(spec, 'failurePolicy', 'spec.failurePolicy', ['Fail', 'Ignore'], causes);

/** Mirrors validateValidatingAdmissionPolicySpec. */
function validateValidatingPolicy(object: Fields, causes: Causes): void {
  const spec = child(object, 'spec');
  validateFailurePolicy(spec, causes);
  if (has(spec, 'paramKind')) validateParamKind(child(spec, 'paramKind'), causes);
  validateConstraints(spec, causes);
  const expressions = validateSharedExpressions(spec, list(spec, 'variables').length > 0, causes);
  const validations = list(spec, 'validations');
  const annotations = list(spec, 'auditAnnotations');
  if (validations.length === 0 && annotations.length === 0) {
    for (const name of ['validations', 'auditAnnotations'])
      causes.required(`spec.${name}`, 'validations or auditAnnotations must contain at least one item');
    return;
  }
  for (const [i, validation] of validations.entries()) validateValidation(expressions, validation, `spec.validations[${i}]`, causes);
  validateAnnotations(expressions, text(child(object, 'metadata'), 'name'), annotations, causes);
}

const reasons: readonly string[] = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

function validateValidation(expressions: PolicyExpressions, validation: Fields, field: string, causes: Causes): void {
  const [expression, message, messageExpression] = ['expression', 'message', 'messageExpression'].map((name) => text(validation, name)) as [
    string,
    string,
    string,
  ];
  if (expression.trim() === '') causes.required(`${field}.expression`, 'expression is not specified');
  else expressions.validate(expression, ['bool'], `${field}.expression`);
  if (messageExpression !== '' && messageExpression.trim() === '')
    causes.invalid(`${field}.messageExpression`, messageExpression, 'must be non-empty if specified');
  else if (messageExpression !== '')
    expressions.validate(messageExpression, ['string'], `${field}.messageExpression`, { hasAuthorizer: false });
  if (message !== '' && message.trim() === '') causes.invalid(`${field}.message`, message, 'must be non-empty if specified');
  else if (/[\n\r]/.test(message.trim())) causes.invalid(`${field}.message`, message, 'must not contain line breaks');
  validateChoice(validation, 'reason', `${field}.reason`, reasons, causes);
}

const maxAnnotations = 20;
const maxValueExpressionBytes = 5 * 1024;

function validateAnnotations(expressions: PolicyExpressions, policyName: string, annotations: readonly Fields[], causes: Causes): void {
  if (annotations.length > maxAnnotations) {
    const value = annotations.map((each) => ({ Key: text(each, 'key'), ValueExpression: text(each, 'valueExpression') }));
    causes.invalid('spec.auditAnnotations', value, `must not have more than ${maxAnnotations} auditAnnotations`);
  }
  const keys = annotations.map((annotation) => text(annotation, 'key'));
  for (const [i, annotation] of annotations.entries()) {
    const field = `spec.auditAnnotations[${i}]`;
    const key = keys[i] as string;
    if (policyName === '') causes.invalid(`${field}.key`, key, 'requires metadata.name be non-empty');
    else validateFormat(`${policyName}/${key}`, qualifiedName, `${field}.key`, causes);
    validateValueExpression(expressions, text(annotation, 'valueExpression'), `${field}.valueExpression`, causes);
    if (keys.indexOf(key) < i) causes.duplicate(`${field}.key`, key);
  }
}

function validateValueExpression(expressions: PolicyExpressions, value: string, field: string, causes: Causes): void {
  const expression = value.trim();
  if (expression === '') causes.required(field, 'valueExpression is not specified');
  else if (bytesOf(expression) > maxValueExpressionBytes)
    causes.required(field, `must not exceed ${maxValueExpressionBytes} bytes in length`);
  else expressions.validate(expression, ['string', 'null'], field, { value });
}

const actions: readonly string[] = ['Audit', 'Deny', 'Warn'];

function validateActions(validationActions: readonly string[], causes: Causes): void {
  const field = 'spec.validationActions';
  for (const [i, action] of validationActions.entries()) {
    if (!actions.includes(action)) causes.notSupported(`${field}[${i}]`, asJson(action), actions);
    if (validationActions.indexOf(action) < i) causes.duplicate(`${field}[${i}]`, asJson(action));
  }
  if (validationActions.includes('Deny') && validationActions.includes('Warn')) {
    const explanation = 'repeating the same validation failure information in the API response and headers serves no purpose';
    causes.invalid(field, validationActions, `must not contain both Deny and Warn (${explanation})`);
  }
  if (validationActions.length === 0) causes.required(field, 'at least one validation action is required');
}

function validateTypeChecking(typeChecking: Fields, causes: Causes): void {
  for (const [i, warning] of list(typeChecking, 'expressionWarnings').entries()) {
    const field = `status.typeChecking.expressionWarnings[${i}]`;
    if (text(warning, 'warning') === '') causes.required(`${field}.warning`);
    if (text(warning, 'fieldRef').trim() === '') causes.required(`${field}.fieldRef`);
  }
}

/** Mirrors validateMutatingAdmissionPolicySpec. */
function validateMutatingPolicy(object: Fields, causes: Causes): void {
  const spec = child(object, 'spec');
  validateFailurePolicy(spec, causes);
  if (has(spec, 'paramKind')) validateParamKind(child(spec, 'paramKind'), causes);
  validateConstraints(spec, causes);
  validateMutatedOperations(child(spec, 'matchConstraints'), 'spec.matchConstraints', causes);
  const expressions = validateSharedExpressions(spec, true, causes);
  const mutations = list(spec, 'mutations');
  if (mutations.length === 0) causes.required('spec.mutations', 'mutations must contain at least one item');
  for (const [i, mutation] of mutations.entries()) validateMutation(expressions, mutation, `spec.mutations[${i}]`, causes);
  const field = 'spec.reinvocationPolicy';
  if (text(spec, 'reinvocationPolicy') === '') causes.required(field);
  else validateChoice(spec, 'reinvocationPolicy', field, ['IfNeeded', 'Never'], causes);
}

function validateMutation(expressions: PolicyExpressions, mutation: Fields, field: string, causes: Causes): void {
  const patchType = text(mutation, 'patchType');
  const names = ['jsonPatch', 'applyConfiguration'];
  const index = ['JSONPatch', 'ApplyConfiguration'].indexOf(patchType);
  if (patchType === '') causes.required(`${field}.patchType`);
  else if (index < 0) causes.notSupported(`${field}.patchType`, asJson(patchType), ['ApplyConfiguration', 'JSONPatch']);
  else {
    const [name = '', otherName = ''] = [names[index], names[1 - index]];
    const expression = text(child(mutation, name), 'expression').trim();
    if (!has(mutation, name)) causes.required(`${field}.${name}`, `must be specified when patchType is ${patchType}`);
    else if (expression === '') causes.required(`${field}.${name}.expression`);
    else
      expressions.validate(expression, [index === 0 ? 'list<JSONPatch>' : 'Object'], `${field}.${name}.expression`, {
        hasPatchTypes: true,
      });
    if (has(mutation, otherName))
      causes.invalid(`${field}.${otherName}`, `{${otherName}}`, `must not be specified when patchType is ${patchType}`);
  }
}
