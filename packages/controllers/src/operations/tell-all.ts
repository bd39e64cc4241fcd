import type { Tell } from '../happening.ts';

/** Tells several what happens, in order. */
export const tellAll =
  (...listeners: readonly (Tell | undefined)[]): Tell =>
  (happening) => {
    for (const listener of listeners) listener?.(happening);
  };
