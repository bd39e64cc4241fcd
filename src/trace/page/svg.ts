import type { Trace } from '../trace.ts';
import { placeStation, type Station } from './drawn-station.ts';
import { frame } from './drawn-text.ts';
import { drawTop } from './drawn-top.ts';
import { type Markup, markup } from './markup.ts';
import { sign } from './signs.ts';
import { drawing, theme } from './theme.ts';
import { countWords, outcomeLooks, outcomeWords, passes, sentences, stageWords, startWords, stepWords } from './words.ts';

/**
 * The trace as a picture of its own: the way from top to bottom, a station a step, what goes on and what ends there on branches beside it.
 * Of very many items it shows the first and says how many there are more.
 */
export function renderSvg(trace: Trace): string {
  const top = drawTop(trace);
  const stations = placeStations(trace, top.height + frame.margin);
  const end = stations.reduce((y, station) => Math.max(y, station.end), top.height + frame.margin);
  const height = end + 60;
  const picture = markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${frame.width} ${height}" width="${frame.width}" height="${height}" role="img" aria-labelledby="trace-title trace-text">
<title id="trace-title">${[trace.target, startWords(trace)].join(' ').trim()}: ${outcomeWords[trace.outcome]}</title>
<desc id="trace-text">${describe(trace)}</desc>
<style>${theme}${drawing}${look}</style>
<rect class="ground" width="${frame.width}" height="${height}"/>
${top.draw(frame.margin)}
${stations.map(({ branches }) => branches)}
${stations.map((station, i) => rail(station.y, stations[i + 1]?.y ?? end + 24, station.passes))}
${stations.map(({ words }) => words)}
${drawEnd(trace, end + 24)}
</svg>
`;
  return picture.toString();
}

const look = markup`.ground{fill:var(--ground)}.target{font-family:ui-monospace,"Cascadia Mono","Liberation Mono",monospace!important;font-size:26px;font-weight:650}
.verdict{font-size:17px}.note{font-size:14px}.label{font-family:ui-monospace,"Cascadia Mono","Liberation Mono",monospace!important;font-size:13px;font-weight:550}
.small{font-size:13px}.heading{font-size:13px;font-weight:650}.end{font-size:20px;font-weight:650}.plate.ok{fill:var(--ok-ground)}.plate.warning{fill:var(--warning-ground)}.plate.error{fill:var(--error-ground)}
.outcome{font-size:17px;font-weight:650}.mend-bar{fill:var(--link)}
.card{fill:var(--panel);stroke:var(--edge)}.card.out{stroke:var(--cut);stroke-dasharray:5 4}.dot{fill:var(--rail)}
`;

function placeStations({ steps }: Trace, top: number): Station[] {
  const through = passes(steps);
  const stations: Station[] = [];
  for (const [i, step] of steps.entries()) {
    const y = (stations.at(-1)?.end ?? top) + 20;
    stations.push(placeStation(step, i + 1, y, through[i] === true));
  }
  return stations;
}

function rail(from: number, to: number, through: boolean): Markup {
  return markup`<path class="${through ? 'rail' : 'rail cut'}" d="M${frame.line} ${from}V${to}"/>
`;
}

function drawEnd({ outcome }: Trace, y: number): Markup {
  return markup`<g transform="translate(${frame.line} ${y})">${sign(outcomeLooks[outcome])}</g>
<text class="end" x="${frame.text}" y="${y + 7}">${outcomeWords[outcome]}</text>`;
}

/** The picture in words, for those who cannot see it. */
function describe({ verdict, steps }: Trace): string {
  const told = steps.map((step, i) => {
    const parts = [`${i + 1}. ${stageWords[step.stage]}: ${step.title}`, stepWords[step.outcome], countWords(step)];
    return sentences([parts.filter((part) => part !== '').join(', '), ...step.notes.map(({ message }) => message)]);
  });
  return [sentences([verdict]), ...told].join('\n');
}
