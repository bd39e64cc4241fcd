import { ApiError, type StatusCause } from '../../port/index.ts';

/** The answer to a patch that is well formed but does not fit the object: the real server keeps the reason to itself. */
export const doesNotApply = (cause: string): ApiError =>
  new ApiError(
    {
      ...envelope,
      message: 'the server rejected our request due to an error in our request',
      reason: 'Invalid',
      details: {},
      code: 422,
    },
    { cause: new Error(cause) },
  );

export const tooLarge = (message: string): ApiError =>
  new ApiError({ ...envelope, message: `Request entity too large: ${message}`, reason: 'RequestEntityTooLarge', code: 413 });

/** `NewApplyConflict` (1.36, apimachinery/pkg/api/errors/errors.go). */
export const applyConflict = (message: string, causes: readonly StatusCause[]): ApiError =>
  new ApiError({ ...envelope, message, reason: 'Conflict', details: { causes }, code: 409 });

/** Stands for inputs over which the real server's handler panics. */
export const panicked = (): ApiError =>
  new ApiError({ ...envelope, message: 'This request caused apiserver to panic. Look in the logs for details.', code: 500 });

const envelope = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' } as const;
