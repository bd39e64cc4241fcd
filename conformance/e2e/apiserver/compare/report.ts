import type { Difference } from './differences.ts';
import type { ExplainedComparison, ExplainedResult } from './explanations.ts';
import type { Topic } from './step.ts';

const MAX_SHOWN_FIELDS = 12;

type Report = { readonly text: string; readonly passed: number; readonly failed: number };

/** Formats the failures and a table by topic. `failed` counts the failed comparisons and the explanations that match no difference. */
export function formatReport({ comparisons, unusedExplanations }: ExplainedResult, script: readonly Topic[]): Report {
  const failures = comparisons.filter(({ unexplained }) => unexplained.length > 0);
  const failed = failures.length + unusedExplanations.length;
  const lines = [
    ...formatFailures(failures),
    ...unusedExplanations.map(({ title }) => `FAILED the explanation "${title}" matches no difference`),
    ...formatTable(comparisons, script),
  ];
  return { text: lines.join('\n'), passed: comparisons.length - failures.length, failed };
}

/** Prints the first of several equal failures in full and counts the others, because one cause often affects many answers. */
function formatFailures(failures: readonly ExplainedComparison[]): string[] {
  const groups = Map.groupBy(failures, ({ unexplained }) => unexplained.map(createSignature).sort().join('\n'));
  return [...groups.values()]
    .sort((a, b) => b.length - a.length)
    .flatMap((group) => group.slice(0, 1).flatMap((first) => formatFailureGroup(first, group)));
}

function formatFailureGroup({ topic, number, request, unexplained }: ExplainedComparison, group: readonly ExplainedComparison[]): string[] {
  const shownDifferences = unexplained.slice(0, MAX_SHOWN_FIELDS);
  const otherSteps = group.slice(1, 6).map((each) => `${each.topic} ${each.number}`);
  return [
    `FAILED ${topic} ${number}: ${request}`,
    ...(group.length > 1 ? [`  and ${group.length - 1} more: ${otherSteps.join('; ')}${group.length > 6 ? '; ...' : ''}`] : []),
    ...shownDifferences.map(({ field, real, ours }) => `  ${field}\n    real ${excerptOf(real, ours)}\n    ours ${excerptOf(ours, real)}`),
    ...(unexplained.length > shownDifferences.length ? [`  and ${unexplained.length - shownDifferences.length} more fields`] : []),
  ];
}

function createSignature({ field, real, ours }: Difference): string {
  const path = field.replace(/^body\.(?:items|events|rows)\[\d+\](?:\.object)?/, 'body').replaceAll(/\[\d+\]/g, '[]');
  return `${path} ${JSON.stringify(real)?.slice(0, 200)} ${JSON.stringify(ours)?.slice(0, 200)}`;
}

function formatTable(comparisons: readonly ExplainedComparison[], script: readonly Topic[]): string[] {
  const byTopic = script.map(({ name }) =>
    createRow(
      name,
      comparisons.filter(({ topic }) => topic === name),
    ),
  );
  const rows = [HEADINGS, ...byTopic, createRow('all', comparisons)];
  const widths = HEADINGS.map((_, n) => Math.max(...rows.map((cells) => (cells[n] ?? '').length)));
  return rows.map((cells) => cells.map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0))).join('  '));
}

const HEADINGS = ['topic', 'requests', 'refused', 'fields', 'explained', 'failed'];

function createRow(name: string, comparisons: readonly ExplainedComparison[]): string[] {
  const explained = comparisons.filter(({ differences, unexplained }) => differences.length > unexplained.length);
  return [
    name,
    comparisons.length,
    comparisons.filter(({ code }) => code >= 400).length,
    comparisons.reduce((sum, { fieldCount }) => sum + fieldCount, 0),
    explained.length,
    comparisons.filter(({ unexplained }) => unexplained.length > 0).length,
  ].map(String);
}

/**
 * Returns an excerpt of the JSON of `value`. A long JSON text is cut so that the excerpt starts shortly before the first difference from
 * the JSON of `other`.
 */
function excerptOf(value: unknown, other: unknown): string {
  const [text, otherText] = [JSON.stringify(value) ?? 'nothing', JSON.stringify(other) ?? 'nothing'];
  let index = 0;
  while (index < text.length && text[index] === otherText[index]) index += 1;
  const start = index < 160 ? 0 : index - 100;
  return `${start > 0 ? '...' : ''}${text.slice(start, start + 400)}${text.length > start + 400 ? '...' : ''}`;
}
