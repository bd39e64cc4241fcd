import { formatCount, type Markup, markup } from 'kube-endpoints/internal';
import type { FailurePeriod, RunView } from './data.ts';
import type { PodHistory, PodState } from './pods.ts';

interface Lane {
  readonly name: string;
  readonly segments: readonly Segment[];
  readonly periods: readonly FailurePeriod[];
}

/** What a pod is for some time, in milliseconds since the change. */
interface Segment {
  readonly from: number;
  readonly to: number;
  readonly state: 'starting' | 'ready' | 'terminating';
  readonly isListening: boolean;
}

interface Scale {
  readonly start: number;
  readonly end: number;
}

/** Renders each pod over time: those whose requests fail first. Further lanes are collapsed. */
export function renderLanes({ data, periods }: RunView): Markup {
  const lanes = createLanes(data.pods, data.podStates, data, periods);
  const rows = lanes.map((lane) => renderLane(lane, data));
  const more = rows.length - maxOpenLanes;
  return markup`<div class="lanes">
${rows.slice(0, maxOpenLanes)}${renderCursor()}</div>
${more > 0 ? markup`<details><summary>${formatCount(more, 'more pod')}</summary><div class="lanes">${rows.slice(maxOpenLanes)}${renderCursor()}</div></details>` : undefined}`;
}

const maxOpenLanes = 24;

const renderCursor = (): Markup => markup`<svg class="cursor" aria-hidden="true"><line y1="0" y2="100%"/></svg>`;

function createLanes(
  pods: readonly PodHistory[],
  states: readonly PodState[],
  scale: Scale,
  periods: readonly FailurePeriod[],
): readonly Lane[] {
  const owners = new Map(periods.map((period) => [period, findOwner(pods, period)]));
  const lanes = pods.map(
    (pod): Lane => ({
      name: pod.name,
      segments: listSegments(pod, states, scale.end),
      periods: mergePeriods(periods.filter((period) => owners.get(period) === pod)),
    }),
  );
  const services = Map.groupBy(
    periods.filter(({ pod }) => pod === undefined),
    ({ service }) => service,
  );
  const others = [...services].map(([service, own]): Lane => ({ name: `Service ${service}`, segments: [], periods: mergePeriods(own) }));
  const firstFailure = ({ periods: [first] }: Lane): number => first?.from ?? Number.POSITIVE_INFINITY;
  return [...others, ...lanes.sort((a, b) => (firstFailure(a) < firstFailure(b) ? -1 : firstFailure(a) > firstFailure(b) ? 1 : 0))];
}

/** Merges overlapping periods of the same kind, which may be those of several Services, in the order in which they begin. */
function mergePeriods(periods: readonly FailurePeriod[]): FailurePeriod[] {
  const merged: FailurePeriod[] = [];
  for (const period of [...periods].sort((a, b) => a.from - b.from)) {
    const index = merged.findIndex(({ kind, to }) => kind === period.kind && to >= period.from);
    const known = merged[index];
    if (known) merged[index] = { ...known, to: Math.max(known.to, period.to) };
    else merged.push(period);
  }
  return merged;
}

/** The newest pod of the name that existed when the period began. */
const findOwner = (pods: readonly PodHistory[], { pod, from }: FailurePeriod): PodHistory | undefined =>
  pods.findLast(({ name, changes }) => name === pod && (changes[0]?.[0] ?? 0) <= from);

function listSegments({ changes }: PodHistory, states: readonly PodState[], end: number): Segment[] {
  const segments: Segment[] = [];
  for (const [i, [from, index]] of changes.entries()) {
    const state = states[index];
    const to = changes[i + 1]?.[0] ?? end;
    if (!state || to === from) continue;
    const [, , , ready, terminating, listener] = state;
    const name = terminating !== '' ? 'terminating' : ready === 'ready' ? 'ready' : 'starting';
    const isListening = /\b(open|draining)\b/.test(listener) && listener !== 'not open yet';
    const last = segments.at(-1);
    if (last?.state === name && last.isListening === isListening) segments[segments.length - 1] = { ...last, to };
    else segments.push({ from, to, state: name, isListening });
  }
  return segments;
}

const maxLabels = 3;

function renderLane({ name, segments, periods }: Lane, scale: Scale): Markup {
  const labels = periods.slice(0, maxLabels).map(renderPeriodLabel);
  const rest = periods.length - labels.length;
  return markup`<div class="row"><p class="name"><span class="label">${name}</span>${labels}${rest > 0 ? ` and ${rest} more` : undefined}</p><svg class="lane" role="img" aria-label="${describeLane(name, segments)}">
${segments.map((segment) => renderSegment(segment, scale))}${periods.map((period) => renderPeriod(period, scale))}</svg></div>
`;
}

const renderPeriodLabel = (period: FailurePeriod): Markup =>
  markup` <button type="button" class="fails" data-at="${Math.max(0, period.from)}">${formatPeriod(period)}</button>`;

const periodWords: Readonly<Record<FailurePeriod['kind'], string>> = {
  closed: 'closed, still routed',
  notOpen: 'routed, not open yet',
  cut: 'running requests cut',
  nodeLost: 'node lost, still routed',
  noEndpoints: 'no endpoint',
  noLocalEndpoints: 'nodes without local endpoints',
};

const formatPeriod = ({ kind, from, to }: FailurePeriod): string =>
  `${from === to ? formatSeconds(from) : `${formatSeconds(from)}–${formatSeconds(to)}`} s: ${periodWords[kind]}`;

const formatSeconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1);

function describeLane(name: string, segments: readonly Segment[]): string {
  const parts = segments.map(({ state, from, isListening }) => `${state}${isListening ? ', listening' : ''} from ${formatSeconds(from)} s`);
  return [name, ...parts].join('; ');
}

/** Percent of the width. */
const position = (at: number, { start, end }: Scale): string => `${(((at - start) / (end - start)) * 100).toFixed(2)}%`;
const width = (from: number, to: number, { start, end }: Scale): string => `${(((to - from) / (end - start)) * 100).toFixed(2)}%`;

const shapes: Readonly<Record<Segment['state'], { readonly y: number; readonly height: number }>> = {
  starting: { y: 9, height: 8 },
  ready: { y: 5, height: 16 },
  terminating: { y: 5, height: 16 },
};

function renderSegment({ from, to, state, isListening }: Segment, scale: Scale): Markup {
  const [x, size, { y, height }] = [position(from, scale), width(from, to, scale), shapes[state]];
  const listening = isListening ? markup`<rect class="listening" x="${x}" y="24" width="${size}" height="3"/>` : undefined;
  return markup`<rect class="${state}" x="${x}" y="${y}" width="${size}" height="${height}"/>${listening}`;
}

/** Where the label of a period would not fit behind it, as a share of the width. */
const labelLimit = 0.85;

function renderPeriod({ from, to }: FailurePeriod, scale: Scale): Markup {
  const isLate = (to - scale.start) / (scale.end - scale.start) > labelLimit;
  const text = isLate
    ? markup`<text class="fail-text" x="${position(from, scale)}" dx="-5" y="18" text-anchor="end">fails</text>`
    : markup`<text class="fail-text" x="${position(to, scale)}" dx="5" y="18">fails</text>`;
  return markup`<rect class="failing" x="${position(from, scale)}" y="3" width="${width(from, to, scale)}" height="20"/>${text}`;
}

const ticks: readonly number[] = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600].map((seconds) => seconds * 1000);
const maxTicks = 6;

/** The axis below the slider. */
export function renderAxis(scale: Scale): Markup {
  const step = ticks.find((each) => scale.end / each <= maxTicks) ?? 7_200_000;
  const times = Array.from({ length: Math.floor(scale.end / step) + 1 }, (_, i) => i * step).filter((at) => at <= scale.end * 0.97);
  const marks = times.map(
    (at) =>
      markup`<line x1="${position(at, scale)}" x2="${position(at, scale)}" y1="0" y2="5"/><text x="${position(at, scale)}" y="18" text-anchor="middle">${at / 1000} s</text>`,
  );
  return markup`<svg class="axis" aria-hidden="true">${marks}</svg>`;
}
