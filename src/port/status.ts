/** `metav1.StatusCause`. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** `metav1.Status`, the body of every failure response. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly status: 'Failure' | 'Success';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly causes?: readonly StatusCause[];
    /** Seconds to wait before a retry. */
    readonly retryAfterSeconds?: number;
  };
  readonly code: number;
}

/** A failure returned by an API server. */
export class ApiError extends Error {
  readonly status: Status;

  constructor(status: Status, options?: ErrorOptions) {
    super(status.message ?? status.reason ?? `status ${status.code}`, options);
    this.name = 'ApiError';
    this.status = status;
  }

  /** The HTTP status code. */
  get code(): number {
    return this.status.code;
  }

  /** The machine-readable reason, such as "NotFound" or "Conflict"; empty if the status has no reason. */
  get reason(): string {
    return this.status.reason ?? '';
  }
}

/** Whether `error` is an ApiError with one of these reasons. */
export const hasReason = (error: unknown, ...reasons: readonly string[]): error is ApiError =>
  error instanceof ApiError && reasons.includes(error.reason);
