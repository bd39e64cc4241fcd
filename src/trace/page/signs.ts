import type { TraceStep } from '../trace.ts';
import { type Markup, markup } from './markup.ts';

type Outcome = TraceStep['outcome'];

/** The sign of an outcome around 0,0, within a circle of 13: four shapes, which colour only repeats. */
export function sign(outcome: Outcome): Markup {
  return markup`<g class="sign ${outcome}">${shapes[outcome]}</g>`;
}

/** A sign as a picture of its own, for a place in HTML where words beside it say the same. */
export function signPicture(outcome: Outcome): Markup {
  return markup`<svg class="sign-picture" viewBox="-14 -14 28 28" width="28" height="28" aria-hidden="true">${sign(outcome)}</svg>`;
}

const shapes: Readonly<Record<Outcome, Markup>> = {
  ok: markup`<circle r="12"/><path class="stroke" d="M-5.5 .5 -1.5 4.5 6 -4"/>`,
  warning: markup`<path d="M0-12.5 12.5 10.5H-12.5Z"/><path class="stroke" d="M0-4.5V2M0 6v.2"/>`,
  error: markup`<path d="M-5-12H5L12-5V5L5 12H-5L-12 5V-5Z"/><path class="stroke" d="M-4.5-4.5 4.5 4.5M4.5-4.5-4.5 4.5"/>`,
  skipped: markup`<circle r="11"/><path class="stroke" d="M-4.5 0H4.5"/>`,
};
