import type { TraceStep } from '../trace.ts';
import { drawBranches } from './drawn-branches.ts';
import { drawNotes } from './drawn-notes.ts';
import { drawText, fonts, frame, gap, stack } from './drawn-text.ts';
import { type Markup, markup } from './markup.ts';
import { sign } from './signs.ts';
import { stageWords, stepWords } from './words.ts';

/** A step that has its place in the picture. */
export interface Station {
  /** Of its sign on the line. */
  readonly y: number;
  readonly end: number;
  readonly passes: boolean;
  /** To be drawn below the line. */
  readonly branches: Markup;
  /** To be drawn over it. */
  readonly words: Markup;
}

/** @param top where the station begins */
export function placeStation(step: TraceStep, number: number, top: number, passes: boolean): Station {
  const width = frame.right - frame.text;
  const text = stack([
    drawText(`${number}. ${stageWords[step.stage]} · ${stepWords[step.outcome]}`, frame.text, width, fonts.stage, 1),
    drawText(step.title, frame.text, width, fonts.title, 3),
    gap(3),
    drawNotes(step.notes, frame.text, width, fonts.note),
  ]);
  const branches = drawBranches(step);
  const y = top + 20;
  const below = top + text.height + (branches.height === 0 ? 0 : 14);
  return {
    y,
    end: below + branches.height + 12,
    passes,
    branches: branches.draw(below),
    words: markup`<g transform="translate(${frame.line} ${y})">${sign(step.outcome)}</g>
${text.draw(top)}`,
  };
}
