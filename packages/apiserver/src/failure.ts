import { ApiError, type Status } from 'kube-endpoints/port';

/** What few failures have. */
interface More {
  readonly metadata?: Status['metadata'];
  readonly cause?: Error;
}

/** The error that is answered with a failure: its Status has what all of them have, in the order in which Go writes it. */
export function failure(
  code: number,
  reason: string | undefined,
  message: string,
  details?: Status['details'],
  { metadata = {}, cause }: More = {},
): ApiError {
  return new ApiError(
    {
      kind: 'Status',
      apiVersion: 'v1',
      metadata,
      status: 'Failure',
      message,
      ...(reason !== undefined && { reason }),
      ...(details && { details }),
      code,
    },
    cause && { cause },
  );
}
