import type { Clock, ScheduledCall } from '../store/index.ts';

/** What is closed for a time, or until somebody opens it. */
export interface Gate {
  readonly closed: boolean;
  close(milliseconds?: number): void;
  open(): void;
  /** Nobody is called any more. */
  leave(): void;
}

/** @param signal of one who does not wait before a closed gate */
export function createGate(
  clock: Clock,
  { open: opened, abort }: { open(): void; abort(reason: unknown): void },
  signal?: AbortSignal | undefined,
): Gate {
  let closed = false;
  let timer: ScheduledCall | undefined;
  const onAbort = (): void => abort(signal?.reason);
  const leave = (): void => {
    timer?.cancel();
    timer = undefined;
    signal?.removeEventListener('abort', onAbort);
  };
  const open = (): void => {
    if (!closed) return;
    leave();
    closed = false;
    opened();
  };
  return {
    get closed() {
      return closed;
    },
    close(milliseconds) {
      leave();
      closed = true;
      if (milliseconds !== undefined) timer = clock.schedule(open, milliseconds);
      if (signal?.aborted) onAbort();
      else signal?.addEventListener('abort', onAbort);
    },
    open,
    leave,
  };
}
