import { ApiError } from 'kube-endpoints/port';

/** The code, reason and message of the ApiError that `run` throws. */
export function catchApiError(run: () => unknown): { readonly code: number; readonly reason: string; readonly message: string } {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, reason: error.reason, message: error.message };
    throw error;
  }
  throw new Error('the call did not throw');
}
