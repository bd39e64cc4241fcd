import { quote } from 'kube-endpoints/internal';
import type { Schema } from '../schema/schema.ts';
import { merge, newResult, type Result, report } from './problem.ts';

type CheckOne = (schema: Schema) => Result;

/** Checks anyOf, oneOf, allOf and not. Mirrors schemaPropsValidator (kube-openapi/pkg/validation/validate, as of Kubernetes 1.36). */
export function checkAlternatives({ anyOf, oneOf, allOf, not }: Schema, path: string, checkOne: CheckOne): Result {
  const result = newResult();
  const quoted = quote(path);
  const fail = (message: string): void => report(result, { code: 'free', name: path, message: `${quoted} ${message}` });
  if (anyOf?.length) checkAny(anyOf, checkOne, result, fail);
  if (oneOf?.length) checkOneOf(oneOf, checkOne, result, fail);
  if (allOf?.length) checkAll(allOf, checkOne, result, fail);
  if (not && isValid(checkOne(not))) fail('must not validate the schema (not)');
  result.matches += 1;
  return result;
}

type Fail = (message: string) => void;

const isValid = ({ problems }: Result): boolean => problems.length === 0;

function checkAny(schemas: readonly Schema[], checkOne: CheckOne, result: Result, fail: Fail): void {
  let best: Result | undefined;
  for (const schema of schemas) {
    const each = checkOne(schema);
    if (isValid(each)) {
      merge(result, each);
      return;
    }
    if (!best || each.matches > best.matches) best = each;
  }
  fail('must validate at least one schema (anyOf)');
  if (best) merge(result, best);
}

function checkOneOf(schemas: readonly Schema[], checkOne: CheckOne, result: Result, fail: Fail): void {
  let best: Result | undefined;
  const valid: Result[] = [];
  for (const schema of schemas) {
    const each = checkOne(schema);
    if (isValid(each)) {
      valid.push(each);
      best = undefined;
    } else if (valid.length === 0 && (!best || each.matches > best.matches)) best = each;
  }
  if (valid.length === 1) {
    merge(result, valid[0] as Result);
    return;
  }
  const found = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
  fail(`must validate one and only one schema (oneOf). ${found}`);
  if (best) merge(result, best);
}

function checkAll(schemas: readonly Schema[], checkOne: CheckOne, result: Result, fail: Fail): void {
  let valid = 0;
  for (const schema of schemas) {
    const each = checkOne(schema);
    if (isValid(each)) valid += 1;
    merge(result, each);
  }
  if (valid < schemas.length) fail(`must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`);
}
