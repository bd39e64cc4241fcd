import type { Trace, TraceStep } from '../trace.ts';
import { type Markup, markup } from './markup.ts';
import { type Font, wrap } from './measure.ts';
import { sign } from './signs.ts';
import { countWords, passes, stageWords, stepWords } from './words.ts';

/** The whole way on one small picture, each station a link to the step with its details. */
export function renderMap({ steps }: Trace): Markup {
  const through = passes(steps);
  let y = TOP;
  const stations = steps.map((step, i) => {
    const station = { step, y, number: i + 1, passes: through[i] === true, last: i === steps.length - 1 };
    y += heightOf(station);
    return station;
  });
  return markup`<svg class="map" viewBox="0 0 ${WIDTH} ${y}" role="group" aria-label="The way, ${steps.length} steps">
${stations.map(rail)}
${stations.map(link)}
</svg>`;
}

interface Station {
  readonly step: TraceStep;
  readonly y: number;
  readonly number: number;
  readonly passes: boolean;
  readonly last: boolean;
}

const WIDTH = 320;
const TOP = 26;
const LINE = 30;
const TEXT = 58;
const titleFont: Font = { class: 'name', size: 14, line: 18, bold: true };

function titleOf({ step }: Pick<Station, 'step'>): string[] {
  return wrap(step.title, WIDTH - TEXT - 14, titleFont, 2);
}

function heightOf(station: Pick<Station, 'step'>): number {
  return 44 + titleOf(station).length * titleFont.line + (countWords(station.step) === '' ? 0 : 18);
}

/** The line to the next station, and the branch of what is left out. */
function rail(station: Station): Markup {
  const { step, y, last } = station;
  const to = y + heightOf(station);
  const end = y + 8 + titleOf(station).length * titleFont.line + 14;
  const way = last ? undefined : markup`<path class="${station.passes ? 'rail' : 'rail cut'}" d="M${LINE} ${y}V${to}"/>`;
  if (step.leftOut.length === 0) return markup`${way}`;
  return markup`<path class="branch out" d="M${LINE} ${end - 14}Q${LINE} ${end} ${LINE + 12} ${end}H${TEXT - 8}"/>
<path class="stop" d="M${TEXT - 7} ${end - 5}V${end + 5}"/>${way}`;
}

function link(station: Station): Markup {
  const { step, y, number } = station;
  const counts = countWords(step);
  const title = titleOf(station);
  const below = y + 12 + title.length * titleFont.line + 14;
  const label = [`Step ${number}, ${stageWords[step.stage]}: ${step.title}`, stepWords[step.outcome], counts].filter((part) => part !== '');
  return markup`<a href="#step-${number}" aria-label="${label.join('. ')}">
<rect class="hit" x="4" y="${y - 20}" width="${WIDTH - 8}" height="${heightOf(station) - 6}" rx="8"/>
<g transform="translate(${LINE} ${y})">${sign(step.outcome)}</g>
<text class="stage" x="${TEXT}" y="${y - 3}">${number}. ${stageWords[step.stage]} · ${stepWords[step.outcome]}</text>
${title.map((line, i) => markup`<text class="name" x="${TEXT}" y="${y + 16 + i * titleFont.line}">${line}</text>`)}
${counts === '' ? undefined : markup`<text class="counts" x="${TEXT}" y="${below}">${counts}</text>`}</a>
`;
}
