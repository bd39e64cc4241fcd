import type { Observer } from '../host/index.ts';

/** Tells several what happens, in order. */
export const tellAll =
  (...listeners: readonly (Observer | undefined)[]): Observer =>
  (happening) => {
    for (const listener of listeners) listener?.(happening);
  };
