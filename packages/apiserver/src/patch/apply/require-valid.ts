import { status500 } from '../../store/errors.ts';
import { formatGvk } from '../go-format.ts';
import { type JsonMap, valueAt } from '../json.ts';
import type { TypeRef } from '../types/type.ts';
import { validate } from './typed/validate.ts';
import type { VersionedObject } from './updater.ts';

/** @throws ApiError with status 500 if an object does not match its type */
export function requireValid(
  { object, type }: VersionedObject,
  { allowDuplicates }: { readonly allowDuplicates: boolean },
  formatFailure: (name: string) => string,
): void {
  try {
    validate(object, type, allowDuplicates);
  } catch (error) {
    const metadataText = (key: string) => [valueAt(object, 'metadata', key)].filter((value) => typeof value === 'string');
    const name = `${metadataText('namespace')}/${metadataText('name')}; ${formatGvk(object as JsonMap)}`;
    throw status500(`${formatFailure(name)}: ${(error as Error).message}`);
  }
}

/** A conversion may leave fields that the other version does not have. @throws ApiError with status 500 */
export function requireDeclared(object: JsonMap, type: TypeRef): void {
  try {
    validate(object, type, true);
  } catch (error) {
    throw status500((error as Error).message);
  }
}
