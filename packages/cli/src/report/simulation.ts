import type { Check, RolloutCheck } from '@kube-endpoints/simulator';
import type { TimelineEntry } from '@kube-endpoints/simulator/internal';
import { formatCount } from 'kube-endpoints/internal';
import { objectKey } from 'kube-endpoints/internal/apimachinery';
import type { Report } from '../print/report.ts';
import { escapeUnprintable } from '../print/text.ts';

/**
 * Reports whether a change or a scenario drops requests: the answer, the worst run, and the smallest change that prevents it.
 * @param describe describes the entries of a timeline in their order, with their component; for wide output
 */
export function reportCheck(result: RolloutCheck, describe?: (entry: TimelineEntry) => string): Report {
  const { fix, ruleFix, releaseFix, triedFixes, reduced, ...check } = result;
  return {
    hasFindings: check.verdict !== 'safe',
    text: ({ wide }) =>
      [
        ...formatAnswer(result),
        ...(describe ? formatSequence(result, describe) : []),
        ...(wide ? formatRuns(result) : []),
        ...formatFixes(result),
      ].map(escapeUnprintable),
    data: () => ({
      ...dataOf(check),
      ...(reduced && { reduced }),
      ...(fix && { fix: { parts: fix.parts, check: dataOf(fix.check) } }),
      ...(ruleFix && { ruleFix: { rules: ruleFix.rules, check: dataOf(ruleFix.check) } }),
      ...(releaseFix && { releaseFix: { version: releaseFix.version, check: dataOf(releaseFix.check) } }),
      ...(triedFixes && { triedFixes }),
    }),
  };
}

/** The answer of a check. */
export interface CheckAnswer {
  /** Without a full stop. */
  readonly headline: string;
  /** The drops of the worst run, with times in seconds since the start. */
  readonly sentences: readonly string[];
  readonly notes: readonly string[];
}

export function describeAnswer(check: RolloutCheck): CheckAnswer {
  const { notes, ...answer } = answers[check.verdict](check);
  const { reduced } = check;
  const scale = reduced ? [`${formatSize(reduced)} stand for ${formatSize(reduced.from)}; --seeds 4 runs all of them.`] : [];
  return { ...answer, notes: [...notes, ...scale] };
}

const formatSize = ({ pods, nodes }: { readonly pods: number; readonly nodes: number }): string =>
  `${formatCount(pods, 'pod')} on ${formatCount(nodes, 'node')}`;

const answers: Readonly<Record<Check['verdict'], (check: Check) => CheckAnswer>> = {
  safe: ({ runs, searched, proof }) =>
    proof?.holds
      ? { headline: 'No request can fail within these ranges, whatever the order of events', sentences: [], notes: proof.sentences }
      : {
          headline: `No request fails in ${formatCount(runs.length, 'run')} within these ranges`,
          sentences: [],
          notes: [searchNotes[searched], ...(proof ? [`There is no proof, because ${joinReasons(proof.sentences)}.`] : [])],
        },
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

function formatAnswer(check: RolloutCheck): string[] {
  const { headline, sentences, notes } = describeAnswer(check);
  const answer =
    sentences.length === 0
      ? [[`${headline}.`, ...notes].join(' ')]
      : [`${headline}; seconds since the ${startOf(check)}:`, ...listSentences(sentences), ...notes];
  return [...answer, ...listSteps(check.steps)];
}

/** What times count from. */
export const startOf = ({ steps }: Check): string => (steps ? 'start' : 'change');

/** The first reasons of a list. */
const joinReasons = (reasons: readonly string[]): string =>
  `${reasons.slice(0, maxReasons).join(', and ')}${reasons.length > maxReasons ? `, and for ${reasons.length - maxReasons} more reasons (-o json lists all)` : ''}`;

const maxReasons = 2;

const searchNotes: Readonly<Record<Check['searched'], string>> = {
  bounds: 'The runs take each delay at its bounds and at random: they are a search, not a proof.',
  sampled: 'Because there are many pods, these are only the runs that fail most often; --seeds 4 makes all.',
};

const maxSentences = 5;

/** The steps of a scenario, one a line. */
const listSteps = (steps: Check['steps'] = []): string[] => [
  ...(steps.length > 0 ? ['Steps, in seconds since the start:'] : []),
  ...steps.map(({ at, summary }) => `  ${(at / 1000).toFixed(1)} s: ${summary}`),
];

function listSentences(sentences: readonly string[]): string[] {
  const more = sentences.length - maxSentences;
  return [
    ...sentences.slice(0, maxSentences).map((sentence) => `  ${sentence}`),
    ...(more > 0 ? [`  ${more} more of this kind (-o json lists all)`] : []),
  ];
}

/** The changes of the worst run that lead to its first failing request. */
function formatSequence({ worst: { timeline, since, drops } }: Check, describe: (entry: TimelineEntry) => string): string[] {
  const ids = new Set(drops[0]?.causes);
  if (ids.size === 0) return [];
  const lines = timeline.flatMap((entry) => {
    const text = describe(entry);
    return ids.has(entry.id) ? [`  ${((entry.at - since) / 1000).toFixed(1)} s  ${text}`] : [];
  });
  return ['Why the first requests fail:', ...lines];
}

const formatRuns = ({ runs }: Check): string[] =>
  runs.map(
    ({ name, drops, lostMs }) => `  run "${name}": ${formatCount(drops, 'drop')}, as much as an outage of ${(lostMs / 1000).toFixed(1)} s`,
  );

const formatTried = (tried: readonly string[]): string =>
  tried.length === 0
    ? 'No change was found that prevents it: no workload of the change has a field that would.'
    : `No change was found that prevents it: not ${[tried.slice(0, -1).join(', '), ...tried.slice(-1)].filter((text) => text !== '').join(' or ')}.`;

const formatFixes = (result: RolloutCheck): string[] =>
  describeFixes(result).flatMap(({ headline, fields, notes }) => [headline, ...fields.map((field) => `  ${field}`), ...notes]);

/** The smallest change that prevents failing requests, in sentences. */
export interface FixDescription {
  readonly headline: string;
  /** The fields that it sets, with their values. */
  readonly fields: readonly string[];
  readonly notes: readonly string[];
}

/** Describes the smallest change of workloads, and other ways that were found, or what was tried; empty if no fix was searched. */
export function describeFixes({ fix, ruleFix, releaseFix, triedFixes }: Fixes): FixDescription[] {
  const found = [...(fix ? [describeFix(fix)] : []), ...(releaseFix ? [describeReleaseFix(releaseFix)] : [])];
  const all = [...found, ...(ruleFix ? [describeRuleFix(ruleFix)] : [])];
  return all.length === 0 && triedFixes ? [{ headline: formatTried(triedFixes), fields: [], notes: [] }] : all;
}

type Fixes = Pick<RolloutCheck, 'fix' | 'ruleFix' | 'releaseFix' | 'triedFixes'>;

const describeRuleFix = ({ rules, check }: NonNullable<Fixes['ruleFix']>): FixDescription => ({
  headline: 'Without a change of pods, override rules prevent it:',
  fields: rules.map((rule) => JSON.stringify(rule)),
  notes: [`With them, ${formatCount(check.runs.length, 'run')} drop no request. The cluster needs the webhook of override rules.`],
});

const describeReleaseFix = ({ version, check }: NonNullable<Fixes['releaseFix']>): FixDescription => ({
  headline: `Without a change of pods, kube-proxy ${version} or later prevents it.`,
  fields: [],
  notes: [`With it, ${formatCount(check.runs.length, 'run')} drop no request.`],
});

function describeFix(fix: NonNullable<RolloutCheck['fix']>): FixDescription {
  const needsRollout = fix.parts.some((part) => part.needsRollout);
  const isInJob = fix.parts.some(({ workloads }) => workloads.some((workload) => workload.startsWith('Job ')));
  return {
    headline: `Smallest change that prevents it: ${fix.parts.map(({ summary }) => summary).join(', and ')}.`,
    fields: fix.parts.flatMap(({ path, value, creates }) => [
      ...(creates ?? []).map(({ kind, metadata }) => `new ${kind} ${objectKey({ metadata })}`),
      `${path}${value === undefined ? '' : `: ${value}`}`,
    ]),
    notes: [
      fix.check.proof?.holds
        ? `With it, no request can fail, whatever the order of events; with less, some order may drop one. ${fix.check.proof.sentences.join(' ')}`
        : `With it, ${formatCount(fix.check.runs.length, 'run')} drop no request; with less, requests fail.`,
      ...(needsRollout ? ['The running pods need it, too. A rollout that adds it to them may drop requests itself.'] : []),
      ...(isInJob ? ['The template of a Job cannot change: delete the Job, and create it with the new field.'] : []),
    ],
  };
}

/** A check without the timeline of its worst run. */
function dataOf({ worst: { timeline: _, ...worst }, ...check }: Check): object {
  return { ...check, worst };
}
