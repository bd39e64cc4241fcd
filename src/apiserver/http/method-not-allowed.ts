import { ApiError } from '../../port/index.ts';

/** The answer to a method that a path does not have. */
export const methodNotAllowed = (): ApiError =>
  new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'the server does not allow this method on the requested resource',
    reason: 'MethodNotAllowed',
    details: {},
    code: 405,
  });
