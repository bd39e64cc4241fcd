import type { TraceNote } from '../trace.ts';
import { type Drawn, drawText, fonts, stack } from './drawn-text.ts';
import { markup } from './markup.ts';
import type { Font } from './measure.ts';

const MOST = 8;
const BAR = 12;

/** Sentences, each with what would mend it behind a bar. Of very many, the first. */
export function drawNotes(notes: readonly TraceNote[], x: number, width: number, font: Font): Drawn {
  const more = notes.length > MOST ? [drawText(`and ${notes.length - MOST} more`, x, width, { ...fonts.small, class: 'small quiet' })] : [];
  return stack([...notes.slice(0, MOST).flatMap((note) => drawNote(note, x, width, font)), ...more]);
}

function drawNote({ message, mend }: TraceNote, x: number, width: number, font: Font): Drawn[] {
  const said = drawText(message, x, width, font);
  if (mend === undefined) return [said];
  const remedy = drawText(`To mend: ${mend}`, x + BAR, width - BAR, font);
  const barred: Drawn = {
    height: remedy.height + 6,
    draw: (y) => markup`<rect class="mend-bar" x="${x}" y="${y + 3}" width="3" height="${remedy.height}" rx="1.5"/>${remedy.draw(y + 2)}`,
  };
  return [said, barred];
}
