import type { Causes } from '../../field/causes.ts';

/** Mirrors validatePathNoBacksteps (pkg/apis/core/validation, 1.36). */
export function validateNoBacksteps(path: string, field: string, causes: Causes): void {
  if (path.split('/').includes('..')) causes.invalid(field, path, "must not contain '..'");
}

/** Mirrors validateLocalDescendingPath. */
export function validateDescendingPath(path: string, field: string, causes: Causes): void {
  if (path.startsWith('/')) causes.invalid(field, path, 'must be a relative path');
  validateNoBacksteps(path, field, causes);
}

/** Mirrors ValidateLocalNonReservedPath. */
export function validateNonReservedPath(path: string, field: string, causes: Causes): void {
  validateDescendingPath(path, field, causes);
  if (path.startsWith('..') && !path.startsWith('../')) causes.invalid(field, path, "must not start with '..'");
}

export function validateMode(mode: unknown, field: string, causes: Causes): void {
  if (typeof mode === 'number' && (mode < 0 || mode > 0o777)) {
    causes.invalid(field, mode, 'must be a number between 0 and 0777 (octal), both inclusive');
  }
}
