import { quote } from 'kube-endpoints/internal/apimachinery';
import type { Schema } from '../schema/schema.ts';
import { createResult, merge, type Result, report } from './problem.ts';

type CheckSchema = (schema: Schema) => Result;

/** Checks anyOf, oneOf, allOf and not. Mirrors schemaPropsValidator (kube-openapi/pkg/validation/validate, as of Kubernetes 1.36). */
export function checkAlternatives({ anyOf, oneOf, allOf, not }: Schema, path: string, checkSchema: CheckSchema): Result {
  const result = createResult();
  const quotedPath = quote(path);
  const reportFailure = (message: string): void => report(result, { code: 'free', path, message: `${quotedPath} ${message}` });
  if (anyOf?.length) checkAnyOf(anyOf, checkSchema, result, reportFailure);
  if (oneOf?.length) checkOneOf(oneOf, checkSchema, result, reportFailure);
  if (allOf?.length) checkAllOf(allOf, checkSchema, result, reportFailure);
  if (not && isValid(checkSchema(not))) reportFailure('must not validate the schema (not)');
  result.matches += 1;
  return result;
}

type ReportFailure = (message: string) => void;

const isValid = ({ problems }: Result): boolean => problems.length === 0;

function checkAnyOf(schemas: readonly Schema[], checkSchema: CheckSchema, result: Result, reportFailure: ReportFailure): void {
  let bestFailure: Result | undefined;
  for (const schema of schemas) {
    const outcome = checkSchema(schema);
    if (isValid(outcome)) {
      merge(result, outcome);
      return;
    }
    if (!bestFailure || outcome.matches > bestFailure.matches) bestFailure = outcome;
  }
  reportFailure('must validate at least one schema (anyOf)');
  if (bestFailure) merge(result, bestFailure);
}

function checkOneOf(schemas: readonly Schema[], checkSchema: CheckSchema, result: Result, reportFailure: ReportFailure): void {
  let bestFailure: Result | undefined;
  const validResults: Result[] = [];
  for (const schema of schemas) {
    const outcome = checkSchema(schema);
    if (isValid(outcome)) {
      validResults.push(outcome);
      bestFailure = undefined;
    } else if (validResults.length === 0 && (!bestFailure || outcome.matches > bestFailure.matches)) bestFailure = outcome;
  }
  if (validResults.length === 1) {
    merge(result, validResults[0] as Result);
    return;
  }
  const validCount = validResults.length === 0 ? 'Found none valid' : `Found ${validResults.length} valid alternatives`;
  reportFailure(`must validate one and only one schema (oneOf). ${validCount}`);
  if (bestFailure) merge(result, bestFailure);
}

function checkAllOf(schemas: readonly Schema[], checkSchema: CheckSchema, result: Result, reportFailure: ReportFailure): void {
  let validCount = 0;
  for (const schema of schemas) {
    const outcome = checkSchema(schema);
    if (isValid(outcome)) validCount += 1;
    merge(result, outcome);
  }
  if (validCount < schemas.length) reportFailure(`must validate all the schemas (allOf)${validCount === 0 ? '. None validated' : ''}`);
}
