import { asJson, type Causes, validateChoice } from '../../field/causes.ts';
import { child, type Fields, has, list, text } from '../../field/read.ts';

const policies: readonly string[] = ['Always', 'Never', 'OnFailure'];

/**
 * Mirrors validateContainerRestartPolicy (pkg/apis/core/validation, 1.36). Without a restartPolicy, the rules of init containers are not
 * validated, because upstream then does not call that function.
 */
export function validateRestartPolicy(container: Fields, isInit: boolean, field: string, causes: Causes): void {
  const rules = list(container, 'restartPolicyRules');
  if (!has(container, 'restartPolicy')) {
    if (rules.length > 0) causes.required(`${field}.restartPolicy`, 'must specify restartPolicy when restart rules are used');
    if (rules.length === 0 || isInit) return;
  } else validateChoice(container, 'restartPolicy', `${field}.restartPolicy`, policies, causes);
  if (rules.length > 20) causes.tooMany(`${field}.restartPolicyRules`, rules.length, 20);
  for (const [i, rule] of rules.entries()) validateRule(rule, `${field}.restartPolicyRules[${i}]`, causes);
}

const actions: readonly string[] = ['Restart', 'RestartAllContainers'];
const operators: readonly string[] = ['In', 'NotIn'];

function validateRule(rule: Fields, field: string, causes: Causes): void {
  const action = text(rule, 'action');
  if (!actions.includes(action)) causes.notSupported(`${field}.action`, asJson(action), actions);
  if (!has(rule, 'exitCodes')) {
    causes.required(`${field}.exitCodes`, 'must be specified');
    return;
  }
  const codes = child(rule, 'exitCodes');
  const operator = text(codes, 'operator');
  if (!operators.includes(operator)) causes.notSupported(`${field}.exitCodes.operator`, asJson(operator), operators);
  const valueCount = Array.isArray(codes['values']) ? codes['values'].length : 0;
  if (valueCount > 255) causes.tooMany(`${field}.exitCodes.values`, valueCount, 255);
}

const resizableResources: readonly string[] = ['cpu', 'memory'];
const resizeRestartPolicies: readonly string[] = ['NotRequired', 'RestartContainer'];

/** Mirrors validateResizePolicy, whose errors omit the index except for duplicates. */
export function validateResizePolicy(container: Fields, podPolicy: string, field: string, causes: Causes): void {
  const seen = new Set<string>();
  for (const [i, each] of list(container, 'resizePolicy').entries()) {
    const [name, policy] = [text(each, 'resourceName'), text(each, 'restartPolicy')];
    if (seen.has(name)) causes.duplicate(`${field}[${i}]`, asJson(name));
    seen.add(name);
    for (const [value, supported] of [[name, resizableResources] as const, [policy, resizeRestartPolicies] as const]) {
      if (value === '') causes.required(field);
      else if (!supported.includes(value)) causes.notSupported(field, asJson(value), supported);
    }
    if (podPolicy === 'Never' && policy !== 'NotRequired') {
      causes.invalid(field, asJson(policy), "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
    }
  }
}
