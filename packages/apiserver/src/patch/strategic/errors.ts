import type { ApiError } from 'kube-endpoints/port';
import { badRequest, unclassified } from '../../store/errors.ts';
import { doesNotApply } from '../errors.ts';
import { format, kindOf, typeName } from '../go-format.ts';
import type { JsonMap } from '../json.ts';

// The errors of strategic merge patches (1.36, apimachinery/pkg/util/mergepatch/errors.go), with the codes that
// `interpretStrategicMergePatchError` (apiserver/pkg/endpoints/handlers/patch.go) gives them: those that it does not know are 500.

export const badPrimitiveList = (): ApiError => badRequest('invalid patch format of primitive list');
export const badRetainKeys = (): ApiError => badRequest('invalid patch format of retainKeys');
export const badSetElementOrder = (): ApiError => badRequest('invalid patch format of setElementOrder list');
export const listOfLists = (): ApiError => doesNotApply('lists of lists are not supported');

export const badType = (expected: unknown, actual: unknown): ApiError =>
  unclassified(`expected a ${typeName(expected)}, but received a ${typeName(actual)}`);

export const noMergeKey = (map: JsonMap, key: string): ApiError =>
  unclassified(`map: ${format(map)} does not contain declared merge key: ${key}`);

export function unknownDirective(directive: unknown, map: JsonMap): ApiError {
  const shown = kindOf(directive) === 'string' ? directive : `%!s(${typeName(directive)}=${format(directive)})`;
  return unclassified(`unknown patch type: ${shown} in map: ${format(map)}`);
}
