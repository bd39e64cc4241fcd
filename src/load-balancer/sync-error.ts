/** Why a sync did not come to its end. */
export class SyncError extends Error {
  override readonly name = 'SyncError';
  /** Milliseconds until the next try; undefined: by the queue's own delays. */
  readonly retryAfter: number | undefined;

  constructor(message: string, options: { readonly retryAfter?: number | undefined; readonly cause?: unknown } = {}) {
    super(message, options);
    this.retryAfter = options.retryAfter;
  }
}
