import { ApiError } from 'kube-endpoints/port';

/** What a call is refused with. */
export function refusal(run: () => unknown): { readonly code: number; readonly reason: string; readonly message: string } {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) {
      return { code: error.code, reason: error.reason, message: error.message };
    }
    throw error;
  }
  throw new Error('was not refused');
}
