import type { Check, RolloutCheck } from '@kube-endpoints/simulator';
import { formatCount } from 'kube-endpoints/internal';
import type { Report } from '../print/report.ts';

/** Reports whether a change drops requests: the answer, the worst run, and the smallest change that prevents it. */
export function reportCheck({ fix, ...check }: RolloutCheck): Report {
  return {
    hasFindings: check.verdict !== 'safe',
    text: ({ wide }) => [...formatAnswer(check), ...(wide ? formatRuns(check) : []), ...(check.verdict === 'drops' ? formatFix(fix) : [])],
    data: () => ({ ...dataOf(check), ...(fix && { fix: { parts: fix.parts, check: dataOf(fix.check) } }) }),
  };
}

/** The answer of a check. */
export interface CheckAnswer {
  /** Without a full stop. */
  readonly headline: string;
  /** The drops of the worst run, with times in seconds since the change. */
  readonly sentences: readonly string[];
  readonly notes: readonly string[];
}

export const describeAnswer = (check: Check): CheckAnswer => answers[check.verdict](check);

const answers: Readonly<Record<Check['verdict'], (check: Check) => CheckAnswer>> = {
  safe: ({ runs, searched }) => ({
    headline: `No request fails in ${formatCount(runs.length, 'run')} within these ranges`,
    sentences: [],
    notes: [searchNotes[searched]],
  }),
  unfinished: ({ worst }) => ({
    headline: `No request fails, but the change does not finish: ${worst.unfinished.join(', ')} (run "${worst.name}")`,
    sentences: [],
    notes: [],
  }),
  drops: ({ worst, runs }) => ({
    headline: `Requests fail in ${runs.filter(({ drops }) => drops > 0).length} of ${formatCount(runs.length, 'run')}. The worst is "${worst.name}"`,
    sentences: worst.sentences,
    notes: worst.unfinished.length > 0 ? [`The change does not finish: ${worst.unfinished.join(', ')}.`] : [],
  }),
};

function formatAnswer(check: Check): string[] {
  const { headline, sentences, notes } = describeAnswer(check);
  if (sentences.length === 0) return [[`${headline}.`, ...notes].join(' ')];
  return [`${headline}; seconds since the change:`, ...listSentences(sentences), ...notes];
}

const searchNotes: Readonly<Record<Check['searched'], string>> = {
  bounds: 'The runs take each delay at its bounds and at random: they are a search, not a proof.',
  sampled: 'Because there are many pods, these are only the runs that fail most often; --seeds 4 makes all.',
};

const maxSentences = 5;

function listSentences(sentences: readonly string[]): string[] {
  const more = sentences.length - maxSentences;
  return [
    ...sentences.slice(0, maxSentences).map((sentence) => `  ${sentence}`),
    ...(more > 0 ? [`  ${more} more of this kind (-o json lists all)`] : []),
  ];
}

const formatRuns = ({ runs }: Check): string[] =>
  runs.map(
    ({ name, drops, lostMs }) => `  run "${name}": ${formatCount(drops, 'drop')}, as much as an outage of ${(lostMs / 1000).toFixed(1)} s`,
  );

function formatFix(fix: RolloutCheck['fix']): string[] {
  const { headline, fields, notes } = describeFix(fix);
  return [headline, ...fields.map((field) => `  ${field}`), ...notes];
}

/** The smallest change that prevents failing requests, in sentences. */
export interface FixDescription {
  readonly headline: string;
  /** The fields that it sets, with their values. */
  readonly fields: readonly string[];
  readonly notes: readonly string[];
}

export function describeFix(fix: RolloutCheck['fix']): FixDescription {
  if (!fix) return { headline: noFix, fields: [], notes: [] };
  const needsRollout = fix.parts.some((part) => part.needsRollout);
  return {
    headline: `Smallest change that prevents it: ${fix.parts.map(({ summary }) => summary).join(', and ')}.`,
    fields: fix.parts.map(({ path, value, name }) => `${path}${hasNumber(name) ? `: ${value}` : ''}`),
    notes: [
      `With it, ${formatCount(fix.check.runs.length, 'run')} ${fix.check.verdict === 'safe' ? 'drop no request' : 'still drop requests'}; with less, requests fail.`,
      ...(needsRollout ? ['The running pods need it, too. A rollout that adds it to them may drop requests itself.'] : []),
    ],
  };
}

const noFix =
  'No change was found that prevents it: not a preStop sleep, a longer grace period, another strategy, minReadySeconds or a probe.';

const hasNumber = (name: string): boolean => ['preStopSleep', 'gracePeriod', 'minReadySeconds'].includes(name);

/** A check without the timeline of its worst run. */
function dataOf({ worst: { timeline: _, ...worst }, ...check }: Check): object {
  return { ...check, worst };
}
