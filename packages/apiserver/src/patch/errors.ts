import type { ApiError, StatusCause } from 'kube-endpoints/port';
import { failure } from '../store/errors.ts';

/** The answer to a patch that is well formed but does not fit the object: the real server keeps the reason to itself. */
export const doesNotApply = (cause: string): ApiError =>
  failure(422, 'Invalid', 'the server rejected our request due to an error in our request', {}, { cause: new Error(cause) });

export const tooLarge = (message: string): ApiError => failure(413, 'RequestEntityTooLarge', `Request entity too large: ${message}`);

/** `NewApplyConflict` (1.36, apimachinery/pkg/api/errors/errors.go). */
export const applyConflict = (message: string, causes: readonly StatusCause[]): ApiError => failure(409, 'Conflict', message, { causes });

/** Stands for inputs over which the real server's handler panics. */
export const panicked = (): ApiError => failure(500, undefined, 'This request caused apiserver to panic. Look in the logs for details.');
